import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import type { Deps } from '../deps.ts';
import { takeJobLease } from './job-store.ts';
import { withLease } from './lease.ts';

describeOnBoth('a lease', (engine) => {
  let app: TestApp;
  let deps: Deps;
  let ahead = 0;
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    app = await startTestApp(engine);
    deps = await depsOf(app, now);
  });
  afterAll(() => app.close());
  const done = async () => 'done';

  it('is held by one of several callers and released when the work ends or fails', async () => {
    const free = Promise.withResolvers<void>();
    let running = 0;
    let maxRunning = 0;
    const work = async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await free.promise;
      running -= 1;
      return 'done';
    };
    const results: (string | undefined)[] = [];
    const all = Array.from({ length: 5 }, async () => results.push((await withLease(deps, 'erasures', work))?.result));
    await expect.poll(() => results).toEqual([undefined, undefined, undefined, undefined]);
    free.resolve();
    await Promise.all(all);
    expect(results.filter((result) => result === 'done')).toHaveLength(1);
    expect(maxRunning).toBe(1);
    const failing = withLease(deps, 'erasures', () => Promise.reject(new Error('no disk')));
    await expect(failing).rejects.toThrow('no disk');
    expect(await withLease(deps, 'erasures', done)).toEqual({ result: 'done' });
  });

  it('expires while its node is stopped, and that node can’t release the next owner’s lease', {
    tags: ['durability.store.8'],
  }, async () => {
    await withLease(deps, 'erasures', async ({ isHeld }) => {
      expect(isHeld()).toBe(true);
      ahead += 121_000;
      expect(isHeld()).toBe(false);
      // Another node acquires the lease before the first one ends.
      const times = { now: now(), until: now() + 120_000 };
      expect(await deps.db.write((tx) => takeJobLease(tx, 'erasures', 'other', times))).toBe(true);
    });
    expect(await withLease(deps, 'erasures', done)).toBeNull();
    ahead += 121_000;
    expect(await withLease(deps, 'erasures', done)).toEqual({ result: 'done' });
  });
});
