import fs, { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useSqlite } from '../../../../tests/support/use-sqlite.ts';
import { toRefusal } from '../errors.ts';
import { afterCommit } from './after-commit.ts';
import type { Reader, Writer } from './db.ts';
import { DATABASE_FILE, openSqlite } from './sqlite.ts';

describe('commits on SQLite', () => {
  const here = useSqlite();
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  const insert = (tx: Writer, key: string) => tx.insertInto('tries').values({ key, times: '[]', expire: 0 }).execute();
  const keys = async (reader: Reader) =>
    (await reader.selectFrom('tries').select('key').orderBy('key').execute()).map((row) => row.key);
  const add = (key: string) => here.db.write((tx) => insert(tx, key));

  /** Reads a copy of the database file without its log: what is left of commits that are only in the log's lost bytes. */
  const keysWithoutLog = async () => {
    const copy = join(here.folder, 'copy');
    mkdirSync(copy, { recursive: true });
    copyFileSync(join(here.folder, DATABASE_FILE), join(copy, DATABASE_FILE));
    const { db: left } = openSqlite(copy);
    try {
      return await keys(left.read);
    } finally {
      await left.close();
      rmSync(copy, { recursive: true });
    }
  };

  /** Lets the next flush of a log fail. */
  const failNextFlush = () => {
    const flush = vi.spyOn(fs, 'fdatasyncSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    });
    syncBuiltinESMExports();
    return flush;
  };

  it('are flushed once each, before they are answered', async () => {
    const flush = vi.spyOn(fs, 'fdatasyncSync');
    syncBuiltinESMExports();
    await add('a');
    expect(flush).toHaveBeenCalledTimes(1);
    await Promise.all([add('b'), add('c')]);
    expect(flush).toHaveBeenCalledTimes(2);
  });

  it('are flushed with the database file if the flush of the log fails', async () => {
    const flush = failNextFlush();
    await add('a');
    expect(flush).toHaveBeenCalled();
    expect(await keysWithoutLog()).toEqual(['a']);
    await add('b');
    expect(await keys(here.db.read)).toEqual(['a', 'b']);
  });

  it('are refused with 503 and not repeated if they can’t be flushed, and so are later ones until they are', async () => {
    const reading = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    // The log is still needed by this read, so it can't be copied as a whole.
    const snapshot = here.db.snapshot(async (reader) => {
      await keys(reader);
      begun.resolve();
      await reading.promise;
    });
    await begun.promise;
    failNextFlush();
    const events: string[] = [];
    const write = (key: string) =>
      here.db.write(async (tx) => {
        events.push(`run ${key}`);
        afterCommit(tx, () => events.push(`after ${key}`));
        await insert(tx, key);
      });
    const refused = await Promise.allSettled([write('a'), write('b')]);
    refused.push(...(await Promise.allSettled([write('c')])));
    expect(refused.map((result) => result.status === 'rejected' && toRefusal(result.reason)?.status)).toEqual([
      503, 503, 503,
    ]);
    expect(events).toEqual(['run a', 'run b']);

    reading.resolve();
    await snapshot;
    await write('c');
    expect(events).toEqual(['run a', 'run b', 'run c', 'after c']);
    expect(await keys(here.db.read)).toEqual(['a', 'b', 'c']);
    expect(await keysWithoutLog()).toEqual(['a', 'b']);
  });
});
