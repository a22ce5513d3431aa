import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { runCaptured } from '../../scripts/lib/run-program.ts';
import { NOBODY } from '../support/daemons.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { addPhoto, planDate } from '../support/factories.ts';
import { registerAda } from '../support/register-couple.ts';
import { startTestApp } from '../support/test-app.ts';

const user = NOBODY ?? { uid: -1, gid: -1 };
/** Whether the other user can read the project, as the one who runs the server must. */
const isReadable =
  NOBODY !== undefined &&
  spawnSync('setpriv', [`--reuid=${user.uid}`, '--clear-groups', 'test', '-r', join(root, 'package.json')]).status ===
    0;

it.runIf(isReadable)(
  'commands of root leave only files that the server can read (where root allows)',
  { tags: ['running.commands.2'] },
  async () => {
    // The temporary folder of a test run is its user's alone.
    const folder = await mkdtemp('/tmp/our-love-story-test-');
    await chmod(folder, 0o711);
    const [data, empty, backups, temporary] = ['data', 'empty', 'backups', 'tmp'].map((name) => join(folder, name));
    for (const path of [data, empty, backups, temporary]) await mkdir(path ?? '');
    const storage = { env: { DATA_DIR: data ?? '' }, remove: async () => undefined };
    const app = await startTestApp(sqliteAndDisk, { storage });
    const ada = await registerAda(app);
    await addPhoto(ada, (await planDate(ada)).id, 1);
    await app.close();
    const contents = async () => (await readdir(folder, { recursive: true })).map((name) => join(folder, name));
    for (const path of await contents()) await chown(path, user.uid, user.gid);

    for (const [name, dataDir, ...args] of [
      ['backup', data, backups],
      ['verify', data, backups],
      ['adopt-store', data, '--yes'],
      ['orphans', data],
      ['scrub', data],
      ['restore', empty, backups],
    ]) {
      const script = join(root, 'scripts', `${name}.ts`);
      const env = [`DATA_DIR=${dataDir}`, `TMPDIR=${temporary}`];
      const { code, output } = await runCaptured('env', [...env, process.execPath, script, ...args.map(String)]);
      expect(`${name} ${code} ${output}`).toContain(`${name} 0 `);
    }

    const paths = await contents();
    expect(paths.filter((path) => path.endsWith('.jpg'))).toHaveLength(3);
    const owners = await Promise.all(paths.map(async (path) => `${path}: ${(await stat(path)).uid}`));
    expect(owners.filter((owner) => !owner.endsWith(`: ${user.uid}`))).toEqual([]);
    await rm(folder, { recursive: true });
  },
);
