import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { SERVER_ENTRY } from '../../scripts/lib/server-launch-settings.ts';
import { startDaemon, untilReady } from '../support/daemons.ts';
import { addPhoto, planDate } from '../support/factories.ts';
import { freePorts } from '../support/free-ports.ts';
import { registerAda } from '../support/register-couple.ts';

/** A user without a name or a home on this machine, as `docker run --user 99:100` has it. */
const USER = { uid: 99, gid: 100 };
const OTHER = { uid: 10_001, gid: 10_001 };
/** Only root can become another user, who must be able to read the project. */
const canBeOther =
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [`--reuid=${USER.uid}`, '--clear-groups', 'test', '-r', join(root, 'package.json')]).status ===
    0;

describe.runIf(canBeOther)('the server as any user (where root allows)', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp('/tmp/our-love-story-test-');
    await chmod(folder, 0o711);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Starts the server as the user, with a volume that belongs to the owner alone. */
  async function start(volume: string, owner: typeof USER) {
    const data = join(folder, volume);
    await mkdir(data, { mode: 0o700 });
    await chown(data, owner.uid, owner.gid);
    const [port = 0] = await freePorts(1);
    const env = { DATA_DIR: data, PORT: String(port), LOG_LEVEL: 'warn' };
    const server = startDaemon(process.execPath, [SERVER_ENTRY], { env, user: USER });
    return { server, data, url: `http://127.0.0.1:${port}` };
  }

  it('keeps photographs in a volume of that user', { tags: ['running.proxies.7'] }, async () => {
    const { server, url } = await start('own', USER);
    await untilReady(server, async () => (await fetch(`${url}/readyz`)).ok, 'the server');
    const ada = await registerAda({ url, printed: [] });
    await addPhoto(ada, (await planDate(ada)).id, 1);
    expect((await ada.call('GET /api/Memories')).body).toHaveLength(1);
    await server.stop();
    expect(await server.ended).toBe(0);
  });

  it('says in one line whose the volume is if it belongs to somebody else', {
    tags: ['running.proxies.7', 'running.start.2'],
  }, async () => {
    const { server, data } = await start('foreign', OTHER);
    expect(await server.ended).toBe(1);
    const { uid, gid } = USER;
    expect(server.output()).toMatch(
      new RegExp(
        `^Not allowed\\. .*\\. This runs as user ${uid}:${gid}, and ${data} belongs to ${OTHER.uid}:${OTHER.gid} \\(EACCES.*\\)\\.\n$`,
      ),
    );
  });
});
