import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Change } from '../../src/base/change.ts';
import type { CoupleId, UserId } from '../../src/base/ids.ts';
import { type Live, openPostgresLive } from '../../src/base/server/live.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { registerCouple } from '../support/client.ts';
import { type CompetingConnection, openCompetingConnection } from '../support/competing-connection.ts';
import { createTestStorage, describeOnBoth, postgresAndS3, type TestStorage } from '../support/engines.ts';
import { subscribeToEvents } from '../support/event-stream.ts';
import { addIdea } from '../support/factories.ts';
import { spawnServer } from '../support/spawn-server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** A change is sent if and only if it was committed. If changes may have been missed, the stream sends "resync". */

function newChange(): Change {
  return { entity: 'dateIdea', id: randomUUID(), action: 'updated', by: randomUUID() as UserId };
}

describeOnBoth('a live change', (engine) => {
  it('is sent when its transaction commits, and not when it rolls back', async () => {
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

    it('is sent even if its node dies during the commit', async () => {
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

    it('is sent after notifications that are not from the app', async () => {
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
        await competitor.query('select pg_notify($1, $2)', ['our_love_story_changes', payload]);
      }
      // Only the one from a newer version is delivered, without its unknown fields.
      expect(await events.next()).toEqual(change);
      const { id } = await addIdea(ada);
      expect((await events.next()).id).toBe(id);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      events.close();
      await server.kill();
    });

    it('leads to "resync" if it was missed because the listening connection was silent', async () => {
      const app = await startTestApp(engine, { storage });
      competitor = await openCompetingConnection(storage);
      const proxy = await startTcpProxy(storage.env.DATABASE_URL ?? '');
      const errors: unknown[] = [];
      const check = { everyMs: 50, timeoutMs: 300 };
      const live = await openPostgresLive(proxy.url, app.db.read, (error) => errors.push(error), check);
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

    it('leads to "resync" if it was missed because a stream opened while the listening connection was silent', async () => {
      const app = await startTestApp(engine, { storage });
      competitor = await openCompetingConnection(storage);
      const proxy = await startTcpProxy(storage.env.DATABASE_URL ?? '');
      const check = { everyMs: 60_000, timeoutMs: 300 };
      const live = await openPostgresLive(proxy.url, app.db.read, () => undefined, check);
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

    it('is sent only to the nodes that hold a page of its couple', async () => {
      const app = await startTestApp(engine, { storage });
      competitor = await openCompetingConnection(storage);
      // A node reports every invalid notification that it receives.
      let received = 0;
      const live = await openPostgresLive(storage.env.DATABASE_URL ?? '', app.db.read, () => {
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

    it('is sent to thousands of couples as soon as their streams are open', async () => {
      const app = await startTestApp(engine, { storage });
      competitor = await openCompetingConnection(storage);
      const live = await openPostgresLive(storage.env.DATABASE_URL ?? '', app.db.read, (error) =>
        expect.unreachable(String(error)),
      );
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

    it('that one partner alone may know reaches that partner on every node, and no node of an older release', async () => {
      const [app, other] = [await startTestApp(engine, { storage }), await startTestApp(engine, { storage })];
      competitor = await openCompetingConnection(storage);
      const { ada, ben } = await registerCouple(app);
      const { id } = await addIdea(ada);
      const [hers, his] = [await subscribeToEvents(ada.at(other)), await subscribeToEvents(ben.at(other))];
      while ((await hers.next()).by !== ben.user.id) continue;
      const older = new pg.Client({ connectionString: storage.env.DATABASE_URL });
      const payloads: object[] = [];
      older.on('notification', ({ payload }) => payloads.push(JSON.parse(payload ?? '') as object));
      await older.connect();
      for (const channel of ['changes', ada.user.couple.id]) await older.query(`listen "our_love_story_${channel}"`);
      await ada.call('PUT /api/DateIdeas/{id}/heart', { params: { id } });
      const { id: last } = await addIdea(ada);
      await expect.poll(() => payloads.length).toBeGreaterThan(1);
      // Older releases deliver every notification with a `change` to both partners, and ignore the others.
      const delivered = payloads.flatMap((payload) => ('change' in payload ? [payload.change] : []));
      expect(delivered).toMatchObject(delivered.map(() => ({ id: last })));
      while ((await hers.next()).id !== id) continue;
      expect((await hers.next()).id).toBe(last);
      expect((await his.next()).id).toBe(last);
      for (const stream of [hers, his]) stream.close();
      await older.end();
      await other.close();
      await app.close();
    });

    describe('before a node listens to its couple', () => {
      let app: TestApp;
      let sender: Live;
      let coupleId: CoupleId;
      let partners: readonly UserId[];
      beforeEach(async () => {
        competitor = await openCompetingConnection(storage);
        app = await startTestApp(engine, { storage });
        const { ada, ben } = await registerCouple(app);
        coupleId = ada.user.couple.id as CoupleId;
        partners = [ada, ben].map(({ user }) => user.id as UserId);
        await letPass(120);
        sender = await openNode();
      });
      afterEach(async () => {
        await sender.close();
        await app.close();
      });

      /** Makes the recorded changes so many seconds older. */
      const letPass = (seconds: number) =>
        competitor.query('update "recentChanges" set "announcedAt" = "announcedAt" - 1000 * $1::bigint', [seconds]);
      const openNode = (onError: (error: unknown) => void = (error) => expect.unreachable(String(error))) => {
        const check = { everyMs: 300, slowMs: 200 };
        return openPostgresLive(storage.env.DATABASE_URL ?? '', app.db.read, onError, check);
      };
      const announce = (only?: UserId) => app.db.write((tx) => sender.announce(tx, coupleId, newChange(), only));

      /** Opens a node as if it had been running for an hour. */
      const openOldNode = async (onError?: (error: unknown) => void) => {
        const now = performance.now.bind(performance);
        const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() - 3_600_000);
        const node = await openNode(onError);
        clock.mockRestore();
        return node;
      };

      /** Returns how many seconds ago the node says that the last change was that each partner may know. */
      const secondsSince = async (node: Live) => {
        const listening = node.listen(coupleId, () => undefined);
        await listening.active;
        const seconds = partners.map((partner) => node.sinceLastChange(coupleId, partner) / 1_000);
        listening.stop();
        return seconds;
      };

      it('is known to it, minus the time that its commit may have taken', async () => {
        const node = await openOldNode();
        expect(await secondsSince(node)).toEqual([60, 60]);
        await announce();
        await letPass(50);
        const [ofAda, ofBen] = await secondsSince(node);
        expect(ofAda).toBeGreaterThan(20);
        expect(ofAda).toBeLessThan(50);
        expect(ofBen).toBeCloseTo(ofAda ?? 0, 0);
        await node.close();
      });

      it('is known to it for the only partner who may know', async () => {
        const node = await openOldNode();
        await announce(partners[0]);
        await letPass(31);
        const [ofAda, ofBen] = await secondsSince(node);
        expect(ofAda).toBeLessThan(50);
        expect(ofBen).toBe(60);
        await node.close();
      });

      it('may have been announced by a node of an older release that is running, without a record', async () => {
        const older = new pg.Client({ connectionString: storage.env.DATABASE_URL });
        await older.connect();
        await older.query(`listen "our_love_story_${randomUUID()}"`);
        const node = await openOldNode();
        for (const seconds of await secondsSince(node)) expect(seconds).toBeLessThan(30);
        await older.end();
        await node.close();
      });

      it('may have been announced long ago by a transaction that is slow', async () => {
        const node = await openOldNode();
        await competitor.query('begin; update "couples" set "createdAt" = "createdAt"');
        await expect.poll(async () => Math.max(...(await secondsSince(node)))).toBeLessThan(30);
        await competitor.query('commit');
        await node.close();
      });

      it('is in doubt if it can’t be read', async () => {
        const errors: unknown[] = [];
        const node = await openOldNode((error) => errors.push(error));
        await competitor.query('alter table "recentChanges" rename to "renamed"');
        const [ofAda, ofBen] = await secondsSince(node);
        expect(ofAda).toBeLessThan(30);
        expect(ofBen).toBeLessThan(30);
        expect(errors.map(String)).toEqual([expect.stringContaining('recentChanges')]);
        await competitor.query('alter table "renamed" rename to "recentChanges"');
        await node.close();
      });

      it('is recorded until no node needs it, and no transaction waits for another to delete it', async () => {
        await announce();
        await letPass(89);
        await announce();
        const count = async () => (await competitor.query('select from "recentChanges"')).rowCount;
        expect(await count()).toBe(2);
        await letPass(2);
        await app.db.write(async (tx) => {
          await sender.announce(tx, coupleId, newChange());
          await announce();
        });
        // The first one is gone.
        expect(await count()).toBe(3);
      });
    });

    it('is exchanged with nodes of an older release, without being sent twice', async () => {
      competitor = await openCompetingConnection(storage);
      const app = await startTestApp(engine, { storage });
      const coupleId = (await registerCouple(app)).ada.user.couple.id as CoupleId;
      const older = new pg.Client({ connectionString: storage.env.DATABASE_URL });
      const payloads: unknown[] = [];
      older.on('notification', ({ payload }) => payloads.push(JSON.parse(payload ?? '')));
      await older.connect();
      await older.query('listen our_love_story_changes');
      const check = { everyMs: 50 };
      const live = await openPostgresLive(storage.env.DATABASE_URL ?? '', app.db.read, () => undefined, check);
      const events: string[] = [];
      await live.listen(coupleId, ({ id }) => events.push(id)).active;
      const [ours, theirs, alone] = [newChange(), newChange(), newChange()];
      await app.db.write((tx) => live.announce(tx, coupleId, ours));
      await expect.poll(() => payloads).toMatchObject([{ coupleId, change: ours }]);
      const asOlder = ['our_love_story_changes', JSON.stringify({ coupleId, change: theirs })];
      await competitor.query('select pg_notify($1, $2)', asOlder);
      await expect.poll(() => events).toEqual([ours.id, theirs.id]);
      // Once the last of them is gone, nothing is sent to all nodes anymore.
      await older.query(`select 'no node of an older release'; listen our_love_story_changes`);
      await expect
        .poll(async () => {
          payloads.length = 0;
          await app.db.write((tx) => live.announce(tx, coupleId, alone));
          await older.query(`select 'no node of an older release'`);
          return payloads.length;
        })
        .toBe(0);
      await older.end();
      await live.close();
      await app.close();
    });
  });
});
