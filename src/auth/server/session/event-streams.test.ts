import { once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeAgreedRecovery } from '../../../../tests/support/agreed-recovery.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { IS_LISTENING } from '../../../../tests/support/competing-connection.ts';
import { currentSessionId } from '../../../../tests/support/current-session-id.ts';
import { describeOnBoth, postgresAndS3, sqliteAndDisk } from '../../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../../tests/support/event-stream.ts';
import { addIdea, planDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { joinAsBen, registerAda, registerCouple } from '../../../../tests/support/register-couple.ts';
import { spawnServer } from '../../../../tests/support/spawn-server.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createTestStorage } from '../../../../tests/support/test-storage.ts';
import { type Change, LAST_CHANGE_HEADER } from '../../../base/change.ts';
import { DAY } from '../../../base/durations.ts';
import type { CoupleId } from '../../../base/ids.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { openLocalLive } from '../../../base/server/live/local-live.ts';
import { openEventStreams } from './event-streams.ts';

/** Reads the blocks of an event stream one by one. */
class Listener {
  readonly headers: Headers;
  readonly #blocks: AsyncGenerator<string, undefined>;
  readonly #stop: () => void;

  constructor(response: Response, stop: () => void) {
    this.headers = response.headers;
    this.#blocks = blocksOf(response);
    this.#stop = stop;
  }

  /** Returns the next block, or null at the end of the stream. Skips heartbeats, which may come at any time. */
  async next(): Promise<string | null> {
    let next = await this.#blocks.next();
    while (next.value === ':') next = await this.#blocks.next();
    return next.done ? null : next.value;
  }

  /** Returns the next change. */
  async change(): Promise<Change> {
    for (let block = await this.next(); block !== null; block = await this.next()) {
      const data = /^event: change\ndata: (.*)$/.exec(block)?.[1];
      if (data !== undefined) return JSON.parse(data) as Change;
    }
    throw new Error('The stream ended');
  }

  close(): void {
    this.#stop();
  }
}

async function* blocksOf(response: Response): AsyncGenerator<string, undefined> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 2);
    }
  }
}

async function listen(url: string, token: string | null): Promise<Listener> {
  const stop = new AbortController();
  const response = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  expect(response.status).toBe(200);
  const listener = new Listener(response, () => stop.abort());
  expect(await listener.next()).toBe('retry: 500');
  // The node has not listened to the couple, and does not know what has changed.
  if (!response.headers.has(LAST_CHANGE_HEADER)) expect(await listener.next()).toBe('event: resync\ndata: {}');
  return listener;
}

/** Registers a couple and waits for the event of joining, so that later streams don't receive it. */
async function newCouple(app: TestApp): Promise<{ ada: Partner; ben: Partner }> {
  const couple = await registerCouple(app);
  (await subscribeToEvents(couple.ada)).close();
  return couple;
}

describeOnBoth('changes, live', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada, ben } = await newCouple(app));
  });
  afterAll(() => app.close());
  /** SQLite allows only one process, and so one node. */
  const nodes = engine === postgresAndS3 ? ['two nodes'] : [];
  const setName = (who: Partner, displayName: string) => who.call('PUT /api/auth/profile', { body: { displayName } });

  it('are a stream that proxies may neither cache nor buffer', { tags: ['wire.http.1'] }, async () => {
    const listener = await listen(app.url, ada.token);
    expect(listener.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(listener.headers.get('cache-control')).toBe('no-store');
    expect(listener.headers.get('x-accel-buffering')).toBe('no');
    listener.close();
  });

  it('reach both partners, no matter who made them', { tags: ['wire.live.1'] }, async () => {
    const both = await Promise.all([listen(app.url, ada.token), listen(app.url, ben.token)]);
    await setName(ben, 'Benjamin');
    await ada.call('PUT /api/couple', { body: { togetherSince: '2019-06-01' } });
    const couple = { entity: 'couple', id: ada.user.couple.id, action: 'updated' };
    for (const listener of both) {
      expect(await listener.change()).toEqual({ ...couple, by: ben.user.id });
      expect(await listener.change()).toEqual({ ...couple, by: ada.user.id });
      listener.close();
    }
  });

  it('notify the inviter when the partner joins', { tags: ['wire.live.1'] }, async () => {
    const alone = await registerAda(app, 'alone@example.org');
    const listener = await listen(app.url, alone.token);
    const partner = await joinAsBen(app, alone, 'no-longer@example.org');
    expect(await listener.change()).toEqual({
      entity: 'couple',
      id: alone.user.couple.id,
      action: 'updated',
      by: partner.user.id,
    });
    listener.close();
  });

  it('reach no other couple', async () => {
    const others = await newCouple(app);
    const listener = await listen(app.url, others.ada.token);
    await setName(ada, 'Ada');
    await setName(others.ben, 'Dan');
    expect((await listener.change()).by).toBe(others.ben.user.id);
    listener.close();
  });

  it('are not announced if nothing changed', async () => {
    const listener = await listen(app.url, ada.token);
    expect((await ada.call('PUT /api/auth/profile', { body: { displayName: null } })).status).toBe(200);
    await setName(ben, 'Ben');
    expect((await listener.change()).by).toBe(ben.user.id);
    listener.close();
  });

  it.each(nodes)('arrive from every node', { tags: ['wire.live.1'] }, async () => {
    const one = await startTestApp(engine);
    const two = await startTestApp(engine, { storage: one.storage });
    const { ada, ben } = await newCouple(one);
    const listener = await listen(two.url, ben.token);
    await ada.call('PUT /api/auth/profile', { body: { displayName: 'Ada' } });
    expect((await listener.change()).by).toBe(ada.user.id);
    listener.close();
    await two.close();
    await one.close();
  });

  it.each(nodes)(
    'trigger a refetch if a stream opens on a node that has not listened to the couple',
    { tags: ['wire.live.4'] },
    async () => {
      const one = await startTestApp(engine);
      const two = await startTestApp(engine, { storage: one.storage });
      const couple = await registerCouple(one);
      const first = await listen(two.url, couple.ada.token);
      expect(first.headers.get(LAST_CHANGE_HEADER)).toBeNull();
      const second = await listen(two.url, couple.ben.token);
      expect(second.headers.get(LAST_CHANGE_HEADER)).toMatch(/^\d+$/);
      await setName(couple.ada, 'Ada');
      for (const stream of [first, second]) expect((await stream.change()).by).toBe(couple.ada.user.id);
      for (const stream of [first, second]) stream.close();
      await two.close();
      await one.close();
    },
  );

  it.each(nodes)('trigger a refetch if some may have been missed', async () => {
    const app = await startTestApp(engine);
    const listener = await listen(app.url, (await registerAda(app)).token);
    const lines = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and ${sql.raw(IS_LISTENING)}`;
    await lines.execute(app.db.read);
    expect(await listener.next()).toBe('event: resync\ndata: {}');
    listener.close();
    await app.close();
  });

  it('a stream releases the connection of a client that disconnected', async () => {
    const first = await listen(app.url, ada.token);
    for (let i = 0; i < 60; i += 1) (await listen(app.url, ada.token)).close();
    await setName(ben, 'Ben');
    expect((await first.change()).by).toBe(ben.user.id);
    first.close();
  });

  // Streams end immediately: a change made right after is not sent. Each test has its own couple, since PostgreSQL may
  // deliver the last change of the test before to a stream that opens after it.
  describe('a stream ends', () => {
    const newDevice = async (who: Partner) => {
      const { body } = await new Caller(app.url).call('POST /api/auth/login', {
        body: { email: who.email, password: who.password },
      });
      return new Caller(app.url, body.token);
    };

    it('with signing out, only on that device', async () => {
      const { ada: carla } = await newCouple(app);
      const phone = await newDevice(carla);
      const [gone, stays] = [await listen(app.url, phone.token), await listen(app.url, carla.token)];
      await phone.call('POST /api/auth/logout');
      await setName(carla, 'Carla');
      expect(await gone.next()).toBeNull();
      expect((await stays.change()).entity).toBe('couple');
      stays.close();
    });

    it('when the device is signed out from another', async () => {
      const { ada: carla } = await newCouple(app);
      const phone = await newDevice(carla);
      const gone = await listen(app.url, phone.token);
      await carla.call('DELETE /api/auth/sessions/{id}', {
        params: { id: await currentSessionId(app.url, phone.token ?? '') },
      });
      await setName(carla, 'Carla');
      expect(await gone.next()).toBeNull();
    });

    it('on the other devices when the password is changed', async () => {
      const { ada: carla, ben: dan } = await newCouple(app);
      const phone = await newDevice(carla);
      const [gone, stays, partners] = [
        await listen(app.url, phone.token),
        await listen(app.url, carla.token),
        await listen(app.url, dan.token),
      ];
      await carla.call('PUT /api/auth/password', {
        body: { currentPassword: carla.password, newPassword: 'another quiet evening' },
      });
      await setName(carla, 'Carla');
      expect(await gone.next()).toBeNull();
      expect((await stays.change()).entity).toBe('couple');
      expect((await partners.change()).entity).toBe('couple');
      stays.close();
      partners.close();
    });

    it('on all devices when the password is recovered', async () => {
      const { ada: carla, ben: dan } = await newCouple(app);
      const phone = await newDevice(carla);
      const gone = [await listen(app.url, carla.token), await listen(app.url, phone.token)];
      const code = await makeAgreedRecovery(dan, carla);
      await new Caller(app.url).call('POST /api/auth/recovery/{code}', {
        params: { code },
        body: { newPassword: 'another evening' },
      });
      await setName(dan, 'Dan');
      // What came before the end: the link was made, agreed to, and perhaps used.
      for (const stream of gone) {
        for (let next = await stream.next(); next !== null; next = await stream.next()) {
          expect(next).toContain('"couple"');
        }
      }
    });

    it('when the server closes', async () => {
      const other = await startTestApp(engine);
      const partner = await registerAda(other);
      const listener = await listen(other.url, partner.token);
      await other.close();
      expect(await listener.next()).toBeNull();
    });
  });

  it('the sessions of streams are checked by one query per thousand, and ended or expired ones end their streams', {
    tags: ['wire.live.9'],
  }, async () => {
    const { ada: carla, ben: dan } = await newCouple(app);
    const rows = await app.db.read.selectFrom('sessions').select(['coupleId', 'userId', 'id']).execute();
    const sessionOf = ({ user }: Partner) => {
      const { id: sessionId = '', ...row } = rows.find(({ userId }) => userId === user.id) ?? {};
      return { ...row, sessionId } as Session;
    };
    let now = Date.now();
    const events = openEventStreams({ db: app.db, live: openLocalLive(), now: () => now } as Deps, { checkMs: 10 });
    const openFor = async (who: Session) => (await events.open(who)).stream.resume();
    const strangers = Array.from({ length: 1_200 }, (_, n) => ({ ...sessionOf(ada), sessionId: `ended ${n}` }));
    const queries = vi.spyOn(app.db.read.getExecutor(), 'executeQuery');
    const stays = [await openFor(sessionOf(ada)), await openFor(sessionOf(ada)), await openFor(sessionOf(carla))];
    const signedOut = await openFor(sessionOf(dan));
    // Several couples, because the oldest streams of a couple with too many end.
    const ended = await Promise.all(strangers.map((who, n) => openFor({ ...who, coupleId: `${n}` as CoupleId })));
    await Promise.all(ended.map((stream) => once(stream, 'end')));
    const checks = queries.mock.calls.filter(([{ sql }]) => /"sessions".* in \(values/.test(sql));
    // The server checks the streams of its own clients at the same time.
    const own = checks.filter(([{ parameters }]) => parameters.some((one) => String(one).startsWith('ended ')));
    const sizes = own.map(([{ parameters }]) => parameters.length);
    // Three parameters for each session, and two for the expiry. Streams of the same session share one.
    expect(sizes.slice(0, 2)).toEqual([3 * 1_000 + 2, 3 * 203 + 2]);
    await Promise.all([once(signedOut, 'end'), dan.call('POST /api/auth/logout')]);
    expect(stays.map(({ readableEnded }) => readableEnded)).toEqual([false, false, false]);
    now += 30 * DAY;
    await Promise.all(stays.map((stream) => once(stream, 'end')));
    queries.mockRestore();
    events.close();
  });

  it('a stream says how long ago the last change visible to the user was', { tags: ['wire.live.4'] }, async () => {
    const { ada: carla, ben: dan } = await registerCouple(app);
    const date = await planDate(carla, { surprise: true });
    /** Opens a stream. Returns what it says, and between which times of this process that was. */
    const open = async (who: Partner) => {
      const asked = performance.now();
      const stream = await listen(app.url, who.token);
      const since = Number(stream.headers.get('x-last-change'));
      return { stream, since, asked, answered: performance.now() };
    };
    const first = await open(carla);
    const heard = async (id: string, action: Change['action']) => {
      for (;;) {
        const change = await first.stream.change();
        if (change.id === id && change.action === action) return;
      }
    };
    const before = performance.now();
    const idea = await addIdea(dan);
    await heard(idea.id, 'created');
    const shared = performance.now();
    const body = { plannedDateTime: date.plannedDateTime, notes: 'Bring a lantern' };
    await carla.call('PUT /api/PlannedDates/{id}', { params: { id: date.id }, body });
    await heard(date.id, 'updated');
    const hidden = performance.now();
    const [hers, his] = [await open(carla), await open(dan)];
    expect(hers.since).toBeGreaterThanOrEqual(Math.floor(hers.asked - hidden));
    expect(hers.since).toBeLessThanOrEqual(hers.answered - shared);
    expect(his.since).toBeGreaterThanOrEqual(Math.floor(his.asked - shared));
    expect(his.since).toBeLessThanOrEqual(his.answered - before);
    for (const { stream } of [first, hers, his]) stream.close();
  });

  it('a HEAD request opens no stream', async () => {
    const headers = { authorization: `Bearer ${ada.token}` };
    const { statusCode, body } = await app.fastify.inject({ method: 'HEAD', url: '/api/events', headers });
    expect([statusCode, body]).toEqual([200, '']);
  });

  it('the oldest stream of a couple ends when there are more than forty', async () => {
    const { ada: carla } = await newCouple(app);
    const first = await listen(app.url, carla.token);
    const more = await Promise.all(Array.from({ length: 40 }, () => listen(app.url, carla.token)));
    expect(await first.next()).toBeNull();
    await setName(carla, 'Carla');
    expect((await more[0]?.change())?.entity).toBe('couple');
    for (const listener of more) listener.close();
  });
});

describe.skipIf(process.platform === 'win32')('the real server', () => {
  it('stops on SIGTERM while clients are connected', async () => {
    const storage = await createTestStorage(sqliteAndDisk);
    const server = await spawnServer(storage);
    const listener = await listen(server.url, (await registerAda(server)).token);
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(await listener.next()).toBeNull();
    await storage.remove();
  });
});
