import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../src/base/change.ts';
import type { CoupleId, UserId } from '../../src/base/ids.ts';
import { openPostgresLive } from '../../src/base/server/live/postgres-live.ts';
import { type CompetingConnection, openCompetingConnection } from '../support/competing-connection.ts';
import { describeOnBoth, postgresAndS3 } from '../support/engines.ts';
import { subscribeToEvents } from '../support/event-stream.ts';
import { addIdea } from '../support/factories.ts';
import { registerCouple } from '../support/register-couple.ts';
import { spawnServer } from '../support/spawn-server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { startTestApp } from '../support/test-app.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';

/** A change is sent if and only if it was committed. If changes may have been missed, the stream sends "resync". */

function newChange(): Change {
  return { entity: 'dateIdea', id: randomUUID(), action: 'updated', by: randomUUID() as UserId };
}

describeOnBoth('a live change', (engine) => {
  it('is sent when its transaction commits, and not when it rolls back', { tags: ['wire.live.2'] }, async () => {
    const app = await startTestApp(engine);
    const { ada, ben } = await registerCouple(app);
    const events = await subscribeToEvents(ben);
    const run = (...texts: string[]) =>
      app.db.write(async (tx) => {
        for (const text of texts) await sql.raw(text).execute(tx);
      });
    // Storing the reply is the last statement of a transaction.
    const refuse =
      engine === postgresAndS3
        ? `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
           create trigger refuse before insert on replies for each row execute function refuse()`
        : `create trigger refuse before insert on replies begin select raise(abort, 'no'); end`;
    await run(refuse);
    const headers = { 'idempotency-key': randomUUID() };
    const body = { title: 'Not to be', category: 'Food' } as const;
    expect((await ada.call('POST /api/DateIdeas', { body }, { headers })).status).toBe(500);
    await run(engine === postgresAndS3 ? 'drop trigger refuse on replies' : 'drop trigger refuse');
    const { id } = await addIdea(ada);
    expect(await events.next()).toEqual({ entity: 'dateIdea', id, action: 'created', by: ada.user.id });
    events.close();
    await app.close();
  });

  if (engine !== postgresAndS3) return;

  describe('between nodes', () => {
    let storage: TestStorage;
    let competitor: CompetingConnection;
    beforeEach(async () => {
      storage = await createTestStorage(engine);
    });
    afterEach(async () => {
      await competitor.close();
      await storage.remove();
    });

    it('is sent even if its node dies during the commit', { tags: ['wire.live.2'] }, async () => {
      const [doomed, other] = [await spawnServer(storage), await startTestApp(engine, { storage })];
      competitor = await openCompetingConnection(storage);
      const { ada, ben } = await registerCouple(doomed);
      const events = await subscribeToEvents(ben.at(other));
      await competitor.holdCommits('ideas');
      const adding = addIdea(ada, { title: 'The last thing' }).catch(() => null);
      await competitor.waitUntilBlocked();
      await doomed.kill('SIGKILL');
      await competitor.releaseCommits();
      expect(await adding).toBeNull();
      const { id, action } = await events.next();
      expect(action).toBe('created');
      const { body: ideas } = await ben.at(other).call('GET /api/DateIdeas');
      expect(ideas.map(({ id, title }) => [id, title])).toEqual([[id, 'The last thing']]);
      events.close();
      await other.close();
    });

    it('is sent by a node that loses its listening connection before the commit, and that sends "resync"', async () => {
      const [one, other] = [await startTestApp(engine, { storage }), await startTestApp(engine, { storage })];
      competitor = await openCompetingConnection(storage);
      const { ada, ben } = await registerCouple(one);
      const [there, here] = [await subscribeToEvents(ben.at(other)), await subscribeToEvents(ben)];
      await competitor.holdCommits('ideas');
      const adding = addIdea(ada);
      await competitor.waitUntilBlocked();
      await competitor.terminateListener();
      await competitor.releaseCommits();
      const { id } = await adding;
      // Skip what the second one received first.
      await expect.poll(async () => (await there.next()).id).toBe(id);
      // The change may precede it, if the node listens again before the commit.
      await expect.poll(() => here.nextOrResync()).toBe('resync');
      for (const events of [here, there]) events.close();
      await other.close();
      await one.close();
    });

    it('is sent after notifications that are not from the app', { tags: ['wire.live.2'] }, async () => {
      const server = await spawnServer(storage, { env: { LOG_LEVEL: 'silent' } });
      competitor = await openCompetingConnection(storage);
      const { ada, ben } = await registerCouple(server);
      const events = await subscribeToEvents(ben);
      const change = { entity: 'dateIdea', id: ada.user.id, action: 'updated', by: ada.user.id };
      const coupleId = ada.user.couple.id;
      const fromNewerVersion = { coupleId, change, since: 'a newer version', more: [1, 2, 3] };
      for (const payload of [
        '',
        'garbage',
        '{',
        'null',
        '[]',
        '0',
        '"text"',
        '{}',
        '{"__proto__":null}',
        'x'.repeat(7_999),
        JSON.stringify({ coupleId, change: 'y'.repeat(7_800) }),
        JSON.stringify({ coupleId }),
        JSON.stringify({ coupleId, change: null }),
        JSON.stringify({ coupleId: 7, change }),
        JSON.stringify({ coupleId, change: { ...change, entity: 'recipe' } }),
        JSON.stringify({ coupleId, change: { ...change, action: 'painted' } }),
        JSON.stringify({ coupleId, change: { ...change, id: ['a', 'list'] } }),
        JSON.stringify(fromNewerVersion),
      ]) {
        await competitor.query('select pg_notify($1, $2)', [`our_love_story_${coupleId}`, payload]);
      }
      // Only the one from a newer version is delivered, without its unknown fields.
      expect(await events.next()).toEqual(change);
      const { id } = await addIdea(ada);
      expect((await events.next()).id).toBe(id);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      events.close();
      await server.kill();
    });

    it('leads to "resync" if it was missed because the listening connection was silent', {
      tags: ['wire.live.2'],
    }, async () => {
      const app = await startTestApp(engine, { storage });
      competitor = await openCompetingConnection(storage);
      const proxy = await startTcpProxy(storage.env.DATABASE_URL ?? '');
      const errors: unknown[] = [];
      const check = { everyMs: 50, timeoutMs: 300 };
      const live = await openPostgresLive(proxy.url, (error) => errors.push(error), check);
      const { ada } = await registerCouple(app);
      const coupleId = ada.user.couple.id as CoupleId;
      let gaps = 0;
      live.onGap(() => {
        gaps += 1;
      });
      const events: string[] = [];
      live.listen(coupleId, ({ id }) => events.push(id));
      // On a busy machine the connection may seem silent when it isn't, and what is announced then is missed.
      const hear = async (change: Change) => {
        const announced = async () => {
          await app.db.write((tx) => live.announce(tx, coupleId, change));
          return events;
        };
        await expect.poll(announced).toContain(change.id);
      };
      await hear(newChange());
      const [failures, before] = [errors.length, gaps];
      proxy.silence();
      await expect.poll(() => errors.length).toBeGreaterThan(failures);
      expect(gaps).toBe(before);
      await proxy.mend();
      await expect.poll(() => gaps, { timeout: 20_000 }).toBeGreaterThan(before);
      await hear(newChange());
      await live.close();
      await proxy.close();
      await app.close();
    });

    it('leads to "resync" if it was missed because a stream opened while the listening connection was silent', {
      tags: ['wire.live.8'],
    }, async () => {
      const app = await startTestApp(engine, { storage });
      competitor = await openCompetingConnection(storage);
      const proxy = await startTcpProxy(storage.env.DATABASE_URL ?? '');
      const check = { everyMs: 60_000, timeoutMs: 300 };
      const live = await openPostgresLive(proxy.url, () => undefined, check);
      let gaps = 0;
      live.onGap(() => {
        gaps += 1;
      });
      const coupleId = (await registerCouple(app)).ada.user.couple.id as CoupleId;
      const events: string[] = [];
      proxy.silence();
      await live.listen(coupleId, ({ id }) => events.push(id)).active;
      expect(gaps).toBe(0);
      const [missed, heard] = [newChange(), newChange()];
      await app.db.write((tx) => live.announce(tx, coupleId, missed));
      await proxy.mend();
      await expect.poll(() => gaps, { timeout: 20_000 }).toBe(1);
      await app.db.write((tx) => live.announce(tx, coupleId, heard));
      await expect.poll(() => events).toEqual([heard.id]);
      await live.close();
      await proxy.close();
      await app.close();
    });

    it('is sent only to the nodes that hold a page of its couple', { tags: ['wire.live.8'] }, async () => {
      const app = await startTestApp(engine, { storage });
      competitor = await openCompetingConnection(storage);
      // A node reports every invalid notification that it receives.
      let received = 0;
      const live = await openPostgresLive(storage.env.DATABASE_URL ?? '', () => {
        received += 1;
      });
      const [ours, others, marker] = [randomUUID(), randomUUID(), randomUUID()] as [CoupleId, CoupleId, CoupleId];
      const notify = (couple: CoupleId) => competitor.query(`notify "our_love_story_${couple}", 'invalid'`);
      /** How many of the notifications about these couples the node receives. */
      const countOf = async (...couples: CoupleId[]) => {
        received = 0;
        for (const couple of couples) await notify(couple);
        const { promise: isLast, resolve } = Promise.withResolvers<unknown>();
        const fence = live.listen(marker, resolve);
        await fence.active;
        const payload = JSON.stringify({ coupleId: marker, change: newChange() });
        await competitor.query('select pg_notify($1, $2)', [`our_love_story_${marker}`, payload]);
        await isLast;
        fence.stop();
        return received;
      };
      expect(await countOf(ours, others)).toBe(0);
      const pages = [live.listen(ours, () => undefined), live.listen(ours, () => undefined)];
      await Promise.all(pages.map(({ active }) => active));
      expect(await countOf(others, ours, others)).toBe(1);
      pages[0]?.stop();
      expect(await countOf(ours, others)).toBe(1);
      pages[1]?.stop();
      // The node leaves a channel and joins the next one in this order.
      const next = live.listen(randomUUID() as CoupleId, () => undefined);
      await next.active;
      next.stop();
      expect(await countOf(ours, others)).toBe(0);
      const again = live.listen(ours, () => undefined);
      again.stop();
      await live.listen(ours, () => undefined).active;
      expect(await countOf(ours, others)).toBe(1);
      await live.close();
      await app.close();
    });

    it('is sent to thousands of couples as soon as their streams are open', { tags: ['wire.live.8'] }, async () => {
      const app = await startTestApp(engine, { storage });
      competitor = await openCompetingConnection(storage);
      const live = await openPostgresLive(storage.env.DATABASE_URL ?? '', (error) => expect.unreachable(String(error)));
      const couples = Array.from({ length: 2_500 }, () => randomUUID() as CoupleId);
      const heard = new Set<CoupleId>();
      const pages = couples.map((couple) => live.listen(couple, () => heard.add(couple)));
      await Promise.all(pages.map(({ active }) => active));
      const { rowCount } = await competitor.query(
        `select pg_notify('our_love_story_' || couple, json_build_object('coupleId', couple, 'change', $2::json)::text)
          from unnest($1::text[]) as couple`,
        [couples, JSON.stringify(newChange())],
      );
      expect(rowCount).toBe(couples.length);
      await expect.poll(() => heard.size).toBe(couples.length);
      await live.close();
      await app.close();
    });

    it('that one partner alone may know reaches that partner on every node, and not the other', {
      tags: ['secrets.hearts.2'],
    }, async () => {
      const [app, other] = [await startTestApp(engine, { storage }), await startTestApp(engine, { storage })];
      competitor = await openCompetingConnection(storage);
      const { ada, ben } = await registerCouple(app);
      const { id } = await addIdea(ada);
      const [hers, his] = [await subscribeToEvents(ada.at(other)), await subscribeToEvents(ben.at(other))];
      await ada.call('PUT /api/DateIdeas/{id}/heart', { params: { id } });
      const { id: last } = await addIdea(ada);
      // Skip what he subscribed with.
      while ((await hers.next()).id !== id) continue;
      expect((await hers.next()).id).toBe(last);
      expect((await his.next()).id).toBe(last);
      for (const stream of [hers, his]) stream.close();
      await other.close();
      await app.close();
    });
  });
});
