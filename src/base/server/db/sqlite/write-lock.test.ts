import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sqliteAndDisk } from '../../../../../tests/support/engines.ts';
import { addIdea } from '../../../../../tests/support/factories.ts';
import type { Partner } from '../../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { openDb } from '../open.ts';
import { DATABASE_FILE } from './sqlite.ts';

describe('while another process holds the write lock of SQLite', () => {
  let app: TestApp;
  let ada: Partner;
  let other: BetterSqlite3.Database;
  beforeEach(async () => {
    app = await startTestApp(sqliteAndDisk);
    ({ ada } = await registerCouple(app));
    // A connection of its own locks as another process does, once the server's own writes at its start are done.
    other = new BetterSqlite3(join(app.storage.env.DATA_DIR ?? '', DATABASE_FILE), { timeout: 0 });
    await lock();
  });
  afterEach(async () => {
    other.close();
    await app.close();
  });

  const lock = () => vi.waitFor(() => other.exec('begin immediate'), { timeout: 5_000 });

  it('a write waits for it, and health and reads are answered meanwhile', {
    tags: ['durability.stored.12'],
  }, async () => {
    let isSaved = false;
    const saving = addIdea(ada).finally(() => {
      isSaved = true;
    });
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
    expect((await ada.call('GET /api/DateIdeas')).body).toEqual([]);
    expect(isSaved).toBe(false);
    other.exec('commit');
    const { id } = await saving;
    expect((await ada.call('GET /api/DateIdeas')).body.map((idea) => idea.id)).toEqual([id]);
  });

  it('a read does not wait for saving when its session was last used', { tags: ['durability.stored.12'] }, async () => {
    await app.db.read.selectFrom('sessions').select('id').executeTakeFirstOrThrow();
    other.exec('update sessions set "lastUsedAt" = "lastUsedAt" - 3600000; commit; begin immediate');
    expect((await ada.call('GET /api/DateIdeas')).status).toBe(200);
    other.exec('commit');
    const stored = () =>
      app.db.read
        .selectFrom('sessions')
        .select('lastUsedAt')
        .where('userId', '=', ada.user.id as never);
    await expect
      .poll(async () => (await stored().executeTakeFirstOrThrow()).lastUsedAt)
      .toBeGreaterThan(Date.now() - 60_000);
  });

  it('all writes that wait are refused together after some seconds, and the next one succeeds', {
    tags: ['durability.stored.12'],
  }, async () => {
    const body = { title: 'Not now', category: 'Food' } as const;
    const results = await Promise.all([1, 2, 3].map(() => ada.call('POST /api/DateIdeas', { body })));
    expect(results.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(results[0]?.headers.get('retry-after')).toBe('5');
    other.exec('commit');
    await addIdea(ada);
  });

  it('a start waits for it too', { tags: ['durability.stored.12'] }, async () => {
    const dataDir = app.storage.env.DATA_DIR ?? '';
    const next = {
      ...(await import('../migrations/index.ts')).migrations,
      '9001-next': { kind: 'expand', up: async () => undefined },
    } as const;
    const starting = openDb({ dataDir, databaseUrl: null, databaseDirectUrl: null }, next);
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    other.exec('commit');
    await (await starting).close();
  });
});
