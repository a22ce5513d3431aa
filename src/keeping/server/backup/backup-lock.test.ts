import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../base/time.ts';
import { BackupLock } from './backup-lock.ts';

describe('the lock of a backup folder', () => {
  let folder: string;
  const path = () => join(folder, '.at-work');
  const touchedAgo = (ms: number) => {
    const then = new Date(Date.now() - ms);
    return utimes(path(), then, then);
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has one owner at a time', async () => {
    const lock = await BackupLock.take(folder);
    await expect(BackupLock.take(folder)).rejects.toThrow('Another backup into this folder is running.');
    await lock.assertHeld();
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
    await (await BackupLock.take(folder)).release();
  });

  it('is lost by a process that slept too long, which then neither publishes nor releases it', async () => {
    const slow = await BackupLock.take(folder);
    await touchedAgo(16 * MINUTE);
    const quick = await BackupLock.take(folder);
    await expect(slow.assertHeld()).rejects.toThrow('Another backup took over this folder.');
    await slow.release();
    await quick.assertHeld();
    await quick.release();
  });

  it.each([
    ['a process that is gone', { host: hostname(), pid: 2 ** 22 + 1 }],
    ['a process that had our number before a restart', { host: hostname(), pid: process.pid, owner: 'before' }],
  ])('is taken over from %s', async (_what, owner) => {
    await writeFile(path(), JSON.stringify(owner));
    await (await BackupLock.take(folder)).release();
  });

  it('is taken over from another machine only after a long time untouched, or with a time in the future', async () => {
    await writeFile(path(), JSON.stringify({ host: 'elsewhere', pid: 1, owner: 'x' }));
    await expect(BackupLock.take(folder)).rejects.toThrow('is running');
    await touchedAgo(-2 * HOUR);
    await (await BackupLock.take(folder)).release();
  });
});
