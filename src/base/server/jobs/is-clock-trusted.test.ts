import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { createTestStorage, type TestStorage } from '../../../../tests/support/test-storage.ts';
import { DAY, HOUR, MINUTE } from '../../durations.ts';
import type { Db } from '../db/db.ts';
import { openDb } from '../db/open.ts';
import type { Deps } from '../deps.ts';
import { readConfig } from '../process/config.ts';
import { isClockTrusted } from './is-clock-trusted.ts';
import { recordScheduledJob } from './job-store.ts';

const START = Date.UTC(2026, 5, 1);

describeOnBoth('the clock', (engine) => {
  let storage: TestStorage;
  let db: Db;
  const nothing = () => undefined;
  const log = { error: nothing, warn: nothing } as unknown as Deps['log'];
  /** Whether a node trusts its clock at a time, in milliseconds since the first check. */
  const at = (time: number) => isClockTrusted({ db, now: () => START + time, log });

  beforeEach(async () => {
    storage = await createTestStorage(engine);
    db = await openDb(readConfig(storage.env));
  });
  afterEach(async () => {
    await db.close();
    await storage.remove();
  });

  it('is trusted the first time, and after a week', async () => {
    for (const time of [0, MINUTE, 7 * DAY, 14 * DAY]) expect(await at(time)).toBe(true);
  });

  it('is trusted if it is a minute behind that of another node', async () => {
    for (const time of [0, -MINUTE]) expect(await at(time)).toBe(true);
  });

  it('is not trusted for a day after it has jumped ahead, on no node', { tags: ['durability.store.5'] }, async () => {
    expect(await at(0)).toBe(true);
    // After a power cut, several nodes have about the same wrong time.
    const wrong = 32 * DAY;
    for (const behind of [0, 3_000, 5 * MINUTE, 0, 2 * HOUR, 0]) expect(await at(wrong - behind)).toBe(false);
    expect(await at(wrong + DAY - 3 * HOUR)).toBe(false);
    expect(await at(wrong + DAY)).toBe(true);
    expect(await at(wrong + DAY + MINUTE)).toBe(true);
  });

  it('is trusted on the nodes where it is right, and not on the one where it has jumped ahead', {
    tags: ['durability.store.5'],
  }, async () => {
    expect(await at(0)).toBe(true);
    for (let hour = 1; hour < 50; hour += 1) {
      expect(await at(32 * DAY + hour * HOUR)).toBe(false);
      expect(await at(hour * HOUR)).toBe(true);
    }
  });

  it('is trusted again when it was set back, and compared with that time from then on', async () => {
    expect(await at(0)).toBe(true);
    expect(await at(32 * DAY)).toBe(false);
    expect(await at(HOUR)).toBe(true);
    expect(await at(-3 * DAY)).toBe(true);
    expect(await at(6 * DAY)).toBe(false);
  });

  it('is compared with the last scan of an older version', async () => {
    await db.write((tx) => recordScheduledJob(tx, 'sweep', { doneAt: START }));
    expect(await at(32 * DAY)).toBe(false);
  });

  it('is trusted on a full disk, where nothing can be saved', async () => {
    const full: Db = { ...db, write: () => Promise.reject(new Error('the disk is full')) };
    expect(await isClockTrusted({ db: full, now: () => START, log })).toBe(true);
  });
});
