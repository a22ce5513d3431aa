import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CoupleId } from '../../src/base/ids.ts';
import { insertIdea } from '../../src/ideas/server/store.ts';
import type { Result } from '../support/caller.ts';
import { type CompetingConnection, openCompetingConnection } from '../support/competing-connection.ts';
import { describeOnBoth, postgresAndS3 } from '../support/engines.ts';
import { addIdea, planDate, smallPhotoForm } from '../support/factories.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';

describeOnBoth('the app', (engine) => {
  it('rolls back a transaction that throws', async () => {
    const app = await startTestApp(engine);
    const { ada } = await registerCouple(app);
    const kept = await addIdea(ada);
    const failing = app.db.write(async (tx) => {
      await tx.deleteFrom('ideas').execute();
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect((await ada.call('GET /api/DateIdeas')).body.map(({ id }) => id)).toEqual([kept.id]);
    await app.close();
  });

  if (engine !== postgresAndS3) return;

  /** Faults of PostgreSQL: an unreachable server, a failover, ended connections and deadlocks. */
  describe('when its database is PostgreSQL', () => {
    let storage: TestStorage;
    let app: TestApp;
    let competitor: CompetingConnection;
    let ada: Partner;
    beforeEach(async () => {
      storage = await createTestStorage(engine);
      app = await startTestApp(engine, { storage });
      competitor = await openCompetingConnection(storage);
      ({ ada } = await registerCouple(app));
    });
    afterEach(async () => {
      await app.close();
      await competitor.close();
      await storage.remove();
    });

    const add = (who = ada) => who.call('POST /api/DateIdeas', { body: { title: 'Once only', category: 'Food' } });
    const count = async () => (await ada.call('GET /api/DateIdeas')).body.length;
    const statusAndRetryAfter = ({ status, headers }: Result<unknown>) => [status, headers.get('retry-after')];

    it('answers 503 with Retry-After while PostgreSQL is silent, and recovers when it is back', {
      tags: ['durability.stored.8'],
    }, async () => {
      const proxy = await startTcpProxy(storage.env.DATABASE_URL ?? '');
      const proxied = await startTestApp(engine, {
        storage: { ...storage, env: { ...storage.env, DATABASE_URL: proxy.url } },
      });
      const viaProxy = ada.at(proxied);
      const listIdeas = () => viaProxy.call('GET /api/DateIdeas');
      // One call per connection, so that all are open when PostgreSQL goes silent.
      await Promise.all(Array.from({ length: 10 }, listIdeas));
      proxy.silence();
      const waiting = [...Array.from({ length: 10 }, listIdeas), add(viaProxy)];
      for (const answer of await Promise.all(waiting)) expect(statusAndRetryAfter(answer)).toEqual([503, '5']);
      await proxy.mend();
      await expect.poll(async () => (await listIdeas()).status, { timeout: 20_000 }).toBe(200);
      expect((await add(viaProxy)).status).toBe(201);
      await proxied.close();
      await proxy.close();
    });

    it('answers 503 and saves nothing while PostgreSQL is away, until it is back', {
      tags: ['durability.stored.6'],
    }, async () => {
      const proxy = await startTcpProxy(storage.env.DATABASE_URL ?? '');
      const proxied = await startTestApp(engine, {
        storage: { ...storage, env: { ...storage.env, DATABASE_URL: proxy.url } },
      });
      const { id: dateId } = await planDate(ada);
      const viaProxy = ada.at(proxied);
      const ready = async () => (await fetch(`${proxied.url}/readyz`)).status;
      await proxy.cut();
      expect(await ready()).toBe(503);
      expect((await fetch(`${proxied.url}/healthz`)).status).toBe(200);
      expect(statusAndRetryAfter(await add(viaProxy))).toEqual([503, '5']);
      expect(statusAndRetryAfter(await viaProxy.call('GET /api/DateIdeas'))).toEqual([503, '5']);
      const body = await smallPhotoForm(dateId);
      expect((await viaProxy.call('POST /api/Memories', { body })).status).toBe(503);
      await proxy.mend();
      await expect.poll(ready, { timeout: 20_000 }).toBe(200);
      const titles = (await viaProxy.call('GET /api/DateIdeas')).body.map(({ title }) => title);
      expect(titles).not.toContain('Once only');
      expect((await viaProxy.call('GET /api/Memories')).body).toEqual([]);
      expect((await add(viaProxy)).status).toBe(201);
      await proxied.close();
      await proxy.close();
    });

    it('keeps the files of a photograph whose connection is lost while COMMIT is pending', {
      tags: ['durability.stored.9'],
    }, async () => {
      const proxy = await startTcpProxy(storage.env.DATABASE_URL ?? '');
      const proxied = await startTestApp(engine, {
        storage: { ...storage, env: { ...storage.env, DATABASE_URL: proxy.url } },
      });
      const { id: dateId } = await planDate(ada);
      await competitor.holdCommits('memories');
      const uploading = ada.at(proxied).call('POST /api/Memories', { body: await smallPhotoForm(dateId) });
      await competitor.waitUntilBlocked();
      // Cuts the connections without refusing new ones.
      proxy.silence();
      await proxy.mend();
      expect(statusAndRetryAfter(await uploading)).toEqual([503, '5']);
      await competitor.releaseCommits();
      const list = async () => (await ada.call('GET /api/Memories')).body;
      await expect.poll(list).toHaveLength(1);
      const [memory] = await list();
      for (const size of ['original', 'thumbnail']) {
        const params = { id: memory?.id ?? '' };
        expect((await ada.request('GET /api/Memories/{id}/image', { params, query: { size } })).status).toBe(200);
      }
      await proxied.close();
      await proxy.close();
    });

    it('has timeouts for slow statements and for idle transactions', async () => {
      const setting = async (name: string) => {
        const { rows } = await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(app.db.read);
        return rows[0]?.[name];
      };
      expect(await setting('statement_timeout')).toBe('10s');
      expect(await setting('idle_in_transaction_session_timeout')).toBe('10s');
    });

    it('answers 503 and saves nothing when a statement waits too long', async () => {
      const url = new URL(storage.env.DATABASE_URL ?? '');
      url.searchParams.set('statement_timeout', '500');
      const impatient = await startTestApp(engine, {
        storage: { ...storage, env: { ...storage.env, DATABASE_URL: url.href } },
      });
      await competitor.query('begin');
      await competitor.query('lock table ideas in share mode');
      expect(statusAndRetryAfter(await add(ada.at(impatient)))).toEqual([503, '5']);
      await competitor.query('commit');
      expect(await count()).toBe(0);
      expect((await add(ada.at(impatient))).status).toBe(201);
      await impatient.close();
    });

    it('answers 503 when PostgreSQL is read-only after a failover, and drops its connections', {
      tags: ['durability.stored.8'],
    }, async () => {
      const name = new URL(storage.env.DATABASE_URL ?? '').pathname.slice(1);
      const demote = async (to: 'on' | 'off') => {
        await competitor.query('set default_transaction_read_only = off');
        await competitor.query(`alter database "${name}" set default_transaction_read_only = ${to}`);
      };
      await demote('on');
      // New connections reach the server that is now a standby.
      await competitor.terminateAll();
      await expect.poll(async () => statusAndRetryAfter(await add())).toEqual([503, '5']);
      await demote('off');
      await expect.poll(async () => (await add()).status, { timeout: 20_000 }).toBe(201);
      expect(await count()).toBe(1);
    });

    const raise = (code: string) => `raise exception using errcode = '${code}';`;
    const disturbances = {
      'a serialization failure': raise('40001'),
      'a deadlock': raise('40P01'),
      'a connection that the server ends': 'perform pg_terminate_backend(pg_backend_pid());',
    };

    it.each(Object.entries(disturbances))(
      'runs a transaction again after %s, and saves it once',
      { tags: ['durability.stored.8'] },
      async (_, body) => {
        await competitor.runBeforeInserts('ideas', body, 2);
        expect((await add()).status).toBe(201);
        expect(await count()).toBe(1);
      },
    );

    it.each(Object.entries(disturbances))('answers 503 after too many retries because of %s', async (_, body) => {
      await competitor.runBeforeInserts('ideas', body, 4);
      expect(statusAndRetryAfter(await add())).toEqual([503, '5']);
      expect(await count()).toBe(0);
      expect((await add()).status).toBe(201);
    });

    it('does not retry a transaction if the connection was lost after COMMIT was sent', async () => {
      await competitor.query(`create function die() returns trigger language plpgsql as $$ begin
        perform pg_terminate_backend(pg_backend_pid()); return null; end $$`);
      await competitor.query(`create constraint trigger die after insert on ideas deferrable initially deferred
        for each row execute function die()`);
      let runs = 0;
      const coupleId = ada.user.couple.id as CoupleId;
      const writing = app.db.write((tx) => {
        runs += 1;
        return insertIdea(tx, coupleId, { title: 'Perhaps', description: null, category: 'Food', isActive: true }, 1);
      });
      await expect(writing).rejects.toThrow(/terminat/);
      expect(runs).toBe(1);
      expect(statusAndRetryAfter(await add())).toEqual([503, '5']);
    });

    it('succeeds although another transaction locks the same rows in the opposite order', {
      tags: ['durability.stored.8'],
    }, async () => {
      const name = new URL(storage.env.DATABASE_URL ?? '').pathname.slice(1);
      // The app's sessions check for a deadlock first, but late enough for the competitor to be part of it.
      await competitor.query(`alter database "${name}" set deadlock_timeout = '3s'`);
      const other = await startTestApp(engine, { storage });
      await competitor.query(`set deadlock_timeout = '50s'`);
      await competitor.query('begin');
      await competitor.query('select 1 from users for update');
      const leaving = ada.at(other).call('POST /api/auth/leave', { body: { currentPassword: ada.password } });
      await competitor.waitUntilBlocked();
      await competitor.query('select 1 from couples for update');
      await competitor.query('commit');
      expect((await leaving).status).toBe(204);
      await other.close();
    });
  });
});
