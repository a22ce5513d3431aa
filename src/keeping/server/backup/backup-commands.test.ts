import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentsOfFolder } from '../../../../tests/support/contents-of-folder.ts';
import { sqliteAndDisk } from '../../../../tests/support/engines.ts';
import { addIdea } from '../../../../tests/support/factories.ts';
import { readWholeStory, withoutTrashTimes } from '../../../../tests/support/read-whole-story.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { runCommand } from '../../../../tests/support/run-command.ts';
import { createSampleStory } from '../../../../tests/support/sample-story.ts';
import { startTestApp } from '../../../../tests/support/test-app.ts';
import { createTestStorage } from '../../../../tests/support/test-storage.ts';

describe('the commands', () => {
  it('back up, verify and restore beside a running app', async () => {
    const app = await startTestApp(sqliteAndDisk);
    const { ada, ben } = await registerCouple(app);
    await createSampleStory(ada, ben);
    await addIdea(ada);
    const folder = await mkdtemp(join(tmpdir(), 'our-love-story-backup-'));
    const storage = await createTestStorage(sqliteAndDisk);
    const run = async (name: string, env: Readonly<Record<string, string>>, ...args: string[]) => {
      const { code, out, err } = await runCommand(name, env, args);
      return `${code}: ${out}${err}`;
    };
    const counts = '1 couple, 4 ideas, 3 dates and 3 photographs';
    expect(await run('verify', {}, folder)).toMatch(/^1: There is no finished backup/);
    expect(await run('backup', app.storage.env, folder)).toContain(`0: Backed up ${counts}`);
    expect(await run('verify', {}, folder)).toContain(`0: Backup OK: ${counts}`);
    // The store carries the id of a lost database. The restored database takes it over.
    const label = join(storage.env.DATA_DIR ?? '', 'photos', 'store.json');
    await mkdir(dirname(label), { recursive: true });
    await writeFile(label, JSON.stringify({ id: 'another', sweeps: 3 }));
    const restored = await run('restore', { ...storage.env, QUOTA: '1KB' }, folder);
    expect(restored).toContain(`0: Restored ${counts}`);
    expect(restored).toMatch(/The quota of the couple \S+ is passed: \d+\.\d KB of 1\.0 KB\.\n/);
    expect(await run('orphans', storage.env)).toBe('0: 0 unknown files, 0 bytes.\n');
    expect(await run('adopt-store', storage.env)).toMatch(
      /^0: .*\nThe store has 3 of the 3 photographs .*\nThey belong/,
    );
    expect(await run('restore', app.storage.env, folder)).toMatch(/^1: This database already has data.*\n$/);
    expect(await run('scrub', storage.env)).toBe('0: Checked 3 photographs: all OK\n');
    const stored = [...(await contentsOfFolder(join(storage.env.DATA_DIR ?? '', 'photos'))).keys()];
    const photograph = stored.find((path) => !path.endsWith('store.json')) ?? '';
    const right = await readFile(photograph);
    await writeFile(photograph, Buffer.from(right).fill(0, 50, 51));
    expect(await run('scrub', storage.env)).toMatch(/^1: Checked 3 photographs: 1 damaged\n.* is damaged\n$/);
    expect(await run('scrub', { ...storage.env, BACKUP_DIR: folder })).toMatch(
      /^0: .* has been restored from the backup\n/,
    );
    expect(await readFile(photograph)).toEqual(right);
    const other = await startTestApp(sqliteAndDisk, { storage });
    const [before, after] = [await readWholeStory(app.url, ada), await readWholeStory(other.url, ada)];
    expect(withoutTrashTimes(after)).toEqual(withoutTrashTimes(before));
    await other.close();
    await app.close();
    await storage.remove();
    await rm(folder, { recursive: true });
  });
});
