import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { HOUR } from '../../../base/durations.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { scrubNextBatch } from '../integrity/scrub.ts';
import { backUpNightly } from './nightly-backup.ts';

const goOn = () => false;

describeOnBoth('a nightly backup', (engine) => {
  let app: TestApp;
  let us: { ada: Partner; ben: Partner };
  let deps: Deps;
  let folder: string;
  let dateId: string;
  /** The offset of the server's clock in milliseconds. */
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const keeping = async () => (await us.ben.call('GET /api/keeping')).body;

  beforeAll(async () => {
    app = await startTestApp(engine, { now });
    us = await registerCouple(app);
    dateId = (await planDate(us.ada)).id;
  });
  beforeEach(async () => {
    // Past the lease of the server's own first scrub, and the hour until the next one.
    ahead += 2 * HOUR;
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-nightly-'));
    const plain = await depsOf(app, now);
    deps = { ...plain, config: { ...plain.config, backupDir: folder } };
  });
  afterEach(() => rm(folder, { recursive: true }));
  afterAll(() => app.close());

  it('is made when it is due, verified, and shown with its day', { tags: ['keeping.backup.9'] }, async () => {
    await addPhoto(us.ada, dateId, 1);
    ahead += 48 * HOUR;
    const [first, second] = [await backUpNightly(deps, goOn), await backUpNightly(deps, goOn)];
    expect([first, second]).toEqual([true, false]);
    const { backup } = await keeping();
    expect(backup.hasFailed).toBe(false);
    expect(backup.verifiedAt).toBe(backup.doneAt);
    expect(Math.abs(Date.parse(backup.verifiedAt ?? '') - now())).toBeLessThan(60_000);
    expect(await readdir(folder)).toContain('manifest.json');
  });

  it('is made by only one node', { tags: ['keeping.backup.9'] }, async () => {
    ahead += 48 * HOUR;
    // Each node has its own folder, so it isn't the folder's lock that stops the second one.
    const other = await mkdtemp(join(tmpdir(), 'our-love-story-nightly-'));
    const both = [deps, { ...deps, config: { ...deps.config, backupDir: other } }].map((node) =>
      backUpNightly(node, goOn),
    );
    expect((await Promise.all(both)).filter(Boolean)).toEqual([true]);
    await rm(other, { recursive: true });
  });

  it('that fails is reported, and retried an hour later', async () => {
    ahead += 48 * HOUR;
    const before = (await keeping()).backup;
    const blocked = join(folder, 'a-file');
    await writeFile(blocked, '');
    const failing = { ...deps, config: { ...deps.config, backupDir: blocked } };
    expect(await backUpNightly(failing, goOn)).toBe(false);
    expect((await keeping()).backup).toMatchObject({ hasFailed: true, verifiedAt: before.verifiedAt });
    expect(await backUpNightly(deps, goOn)).toBe(false);
    ahead += HOUR;
    expect(await backUpNightly(deps, goOn)).toBe(true);
    expect((await keeping()).backup.hasFailed).toBe(false);
  });

  it('is not made without BACKUP_DIR', async () => {
    ahead += 48 * HOUR;
    expect(await backUpNightly({ ...deps, config: { ...deps.config, backupDir: null } }, goOn)).toBe(false);
  });

  it('is reported the same by every node if only one has BACKUP_DIR, and that one scrubs', {
    tags: ['keeping.backup.9'],
  }, async () => {
    const without = { ...deps, config: { ...deps.config, backupDir: null } };
    // Other tests may have made a backup within the last two days.
    ahead += 48 * HOUR;
    expect((await keeping()).backup.isOn).toBe(false);
    expect(await backUpNightly(deps, goOn)).toBe(true);
    // The test's own server has no BACKUP_DIR.
    expect((await keeping()).backup.isOn).toBe(true);
    const scrubbedBy = async (node: Deps) => {
      await scrubNextBatch(node, goOn);
      const row = await app.db.read
        .selectFrom('scheduledJobs')
        .select('heldUntil')
        .where('name', '=', 'scrub')
        .execute();
      return (row[0]?.heldUntil ?? 0) > now();
    };
    expect(await scrubbedBy(without)).toBe(false);
    expect(await scrubbedBy(deps)).toBe(true);
    // After two days of silence a node counts as off, and another one scrubs.
    ahead += 48 * HOUR;
    expect((await keeping()).backup.isOn).toBe(false);
    expect(await scrubbedBy(without)).toBe(true);
  });
});
