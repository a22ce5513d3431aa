import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { runCaptured } from '../../scripts/lib/run-program.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { hasRestic } from '../support/operating/has-promtool-and-restic.ts';
import { operatingText, substitute } from '../support/operating/operating-texts.ts';
import { registerCouple } from '../support/register-couple.ts';
import { createSampleStory } from '../support/sample-story.ts';
import { startTestApp } from '../support/test-app.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';

/** The folder of the backups in the texts of the page. */
const BACKUPS = '/mnt/backup/our-love-story';

describe.skipIf(!hasRestic() && !process.env.CI)('an encrypted copy elsewhere', () => {
  let folder: string;
  let restored: TestStorage;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-elsewhere-'));
    restored = await createTestStorage(sqliteAndDisk);
  });
  afterEach(async () => {
    await restored.remove();
    await rm(folder, { recursive: true });
  });

  const script = (name: string) => `${process.execPath} ${join(root, 'scripts', `${name}.ts`)}`;
  /** Runs the commands of the page, with folders of this test. */
  const run = (text: string, dataDir: string) =>
    runCaptured('env', [
      `DATA_DIR=${dataDir}`,
      `RESTIC_REPOSITORY=${join(folder, 'repository')}`,
      `RESTIC_PASSWORD_FILE=${join(folder, 'password')}`,
      `RESTIC_CACHE_DIR=${join(folder, 'cache')}`,
      'sh',
      '-euc',
      text,
    ]);

  it('is made by the commands of docs/operating.md, and restores a verified backup', {
    tags: ['running.commands.4'],
  }, async () => {
    const app = await startTestApp(sqliteAndDisk);
    const { ada, ben } = await registerCouple(app);
    await createSampleStory(ada, ben);
    const backups = join(folder, 'backups');
    await writeFile(join(folder, 'password'), 'a long password of a test');
    const dataDir = app.storage.env.DATA_DIR ?? '';
    expect(await run(`${script('backup')} ${backups}`, dataDir)).toMatchObject({ code: 0 });

    const copying = substitute(operatingText('sh', 'restic init'), {
      'sftp:backup@nas.example.org:our-love-story': join(folder, 'repository'),
      '/etc/our-love-story.restic': join(folder, 'password'),
      [BACKUPS]: backups,
    });
    expect(await run(copying, dataDir)).toMatchObject({ code: 0 });
    const variables = join(folder, 'our-love-story.env');
    await writeFile(variables, `DATA_DIR='${dataDir}'\nBACKUP_DIR='${backups}'\n`);
    const verifying = substitute(operatingText('sh', 'set -a'), {
      '/etc/our-love-story.env': variables,
      [BACKUPS]: backups,
      'npm run verify --': script('verify'),
    });
    const verified = await run(verifying, '');
    expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('Backup OK: 1 couple') as unknown });
    await app.close();
    await rm(backups, { recursive: true });

    const returning = substitute(operatingText('sh', 'restic restore'), {
      [BACKUPS]: backups,
      '/var/tmp/elsewhere': join(folder, 'elsewhere'),
      'npm run verify --': script('verify'),
      'npm run restore --': script('restore'),
    });
    const { code, output } = await run(returning, restored.env.DATA_DIR ?? '');
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toMatch(/Backup OK: 1 couple, .* and 3 photographs/);
    expect(output).toMatch(/Restored 1 couple, .* and 3 photographs/);
  });
});
