import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useSqlite } from '../../../../../tests/support/use-sqlite.ts';
import { afterCommit } from '../after-commit.ts';
import type { Writer } from '../db.ts';
import { DATABASE_FILE, openSqlite } from './sqlite.ts';

describe('transactions on SQLite that arrive together', () => {
  const here = useSqlite();

  const insert = (tx: Writer, key: string) => tx.insertInto('tries').values({ key, times: '[]', expire: 0 }).execute();
  const keys = async (of = here.db) =>
    (await of.read.selectFrom('tries').select('key').orderBy('key').execute()).map((row) => row.key);

  /** Counts the commits in the write-ahead log: the frames with a database size, in pages, after the commit. */
  const countCommits = () => {
    const log = readFileSync(join(here.folder, `${DATABASE_FILE}-wal`));
    const frame = 24 + log.readUInt32BE(8);
    let commits = 0;
    for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits += 1;
    return commits;
  };

  it('share a commit, in their order', { tags: ['durability.stored.3'] }, async () => {
    const before = countCommits();
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        here.db.write(async (tx) => {
          await insert(tx, `${n}`);
          order.push(n);
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await keys()).toHaveLength(10);
    expect(countCommits() - before).toBe(1);
    for (const key of ['a', 'b', 'c']) await here.db.write((tx) => insert(tx, key));
    expect(countCommits() - before).toBe(4);
  });

  it('fail alone: an error undoes only its own transaction, and runs none of its callbacks', {
    tags: ['durability.stored.3'],
  }, async () => {
    const called: string[] = [];
    const add = (key: string, fails = false) =>
      here.db.write(async (tx) => {
        afterCommit(tx, () => called.push(key));
        await insert(tx, key);
        if (fails) throw new Error(`${key} fails`);
        return key;
      });
    const results = await Promise.allSettled([add('a'), add('b', true), add('a'), add('c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: new Error('b fails') });
    expect(await keys()).toEqual(['a', 'c']);
    expect(called).toEqual(['a', 'c']);
  });

  it('are answered, and run their callbacks, only after the commit; before it, a crash loses them all', {
    tags: ['durability.stored.3'],
  }, async () => {
    const crashed = join(here.folder, 'crashed');
    mkdirSync(crashed);
    const known: string[] = [];
    const other = openSqlite(here.folder).db;
    const note = (key: string) => async () => void known.push(`${key}: ${(await keys(other)).join()}`);
    const writes = ['a', 'b', 'c'].map((key) =>
      here.db.write(async (tx) => {
        await insert(tx, key);
        afterCommit(tx, () => void known.push(`after ${key}`));
        if (key === 'b') throw new Error('refused');
        // All have run, and none is answered. This is what a crash would leave.
        if (key === 'c')
          for (const end of ['', '-wal'])
            cpSync(join(here.folder, DATABASE_FILE + end), join(crashed, DATABASE_FILE + end));
        expect(known).toEqual([]);
      }),
    );
    await Promise.all(writes.map((write, n) => write.then(note('abc'[n] ?? ''), note('abc'[n] ?? ''))));
    expect(known.slice(0, 2)).toEqual(['after a', 'after c']);
    expect(known.slice(2).toSorted()).toEqual(['a: a,c', 'b: a,c', 'c: a,c']);
    const { db: left } = openSqlite(crashed);
    expect(await keys(left)).toEqual([]);
    await Promise.all([left.close(), other.close()]);
  });

  it('run again one by one if SQLite undoes them all, as on a full disk', {
    tags: ['durability.stored.3'],
  }, async () => {
    const called: string[] = [];
    const runs: string[] = [];
    const add = (key: string, fails = false) =>
      here.db.write(async (tx) => {
        runs.push(key);
        afterCommit(tx, () => called.push(key));
        await insert(tx, key);
        if (!fails) return;
        await sql`rollback`.execute(tx);
        throw new Error('database or disk is full');
      });
    const results = await Promise.allSettled([add('a'), add('b', true), add('c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await keys()).toEqual(['a', 'c']);
    expect(called).toEqual(['a', 'c']);
    expect(runs).toEqual(['a', 'b', 'a', 'b', 'c']);
    // Alone, it runs once.
    await expect(add('d', true)).rejects.toThrow('disk is full');
    expect(runs.filter((key) => key === 'd')).toHaveLength(1);
  });

  it('share four commits if they are a hundred, so that the first is answered soon', {
    tags: ['durability.stored.3'],
  }, async () => {
    const before = countCommits();
    await Promise.all(Array.from({ length: 100 }, (_, n) => here.db.write((tx) => insert(tx, `${n}`))));
    expect(countCommits() - before).toBe(4);
  });

  it('all run before the database is closed', { tags: ['durability.stored.3'] }, async () => {
    const writes = Array.from({ length: 100 }, (_, n) => here.db.write((tx) => insert(tx, `${n}`)));
    const closing = here.db.close();
    await Promise.all(writes);
    await closing;
    const reopened = openSqlite(here.folder).db;
    expect(await keys(reopened)).toHaveLength(100);
    await reopened.close();
  });
});
