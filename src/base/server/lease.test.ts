import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/support/app.ts';
import { depsOf } from '../../../tests/support/deps.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import type { Deps } from './deps.ts';
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
  const nothing = async () => undefined;

  it('is held by one of many that want it, and free again when its work ends or fails', async () => {
    const free = Promise.withResolvers<void>();
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await free.promise;
      running -= 1;
    };
    const told: boolean[] = [];
    const all = Array.from({ length: 5 }, async () => told.push(await withLease(deps, 'erasures', work)));
    await expect.poll(() => told).toEqual([false, false, false, false]);
    free.resolve();
    await Promise.all(all);
    expect(told.filter(Boolean)).toHaveLength(1);
    expect(most).toBe(1);
    const failing = withLease(deps, 'erasures', () => Promise.reject(new Error('no disk')));
    await expect(failing).rejects.toThrow('no disk');
    expect(await withLease(deps, 'erasures', nothing)).toBe(true);
  });

  it('of a node that was stopped too long is over, and the next holder keeps its own', async () => {
    await withLease(deps, 'erasures', async (isHeld) => {
      expect(isHeld()).toBe(true);
      ahead += 121_000;
      expect(isHeld()).toBe(false);
      // Another node takes it, and the first one ends.
      expect(await deps.db.write((tx) => takeJobLease(tx, 'erasures', now(), now() + 120_000))).not.toBeNull();
    });
    expect(await withLease(deps, 'erasures', nothing)).toBe(false);
    ahead += 121_000;
    expect(await withLease(deps, 'erasures', nothing)).toBe(true);
  });
});
