import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planDate } from '../support/factories.ts';
import { freePorts } from '../support/free-ports.ts';
import { makeJpeg } from '../support/images.ts';
import { operatingText } from '../support/operating/operating-texts.ts';
import { bootSystemd, canBootSystemd, type Systemd } from '../support/operating/systemd.ts';
import type { Partner } from '../support/partner.ts';
import { registerAda, setupCodeOf } from '../support/register-couple.ts';
import { upload } from '../support/upload.ts';

/** Waits until a server answers 200 on `/readyz`. Throws after a minute. */
async function untilServing(url: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (performance.now() > deadline) throw new Error(`${url} is not ready`);
    await sleep(200);
  }
}

/** A systemd that is process 1 of its own namespaces. The unit is that of `docs/operating.md`, word for word. */
describe.skipIf(!canBootSystemd())('the service under systemd (where root allows)', () => {
  let systemd: Systemd;
  let url: string;
  let ada: Partner;
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    url = `http://127.0.0.1:${port}`;
    const env = `${operatingText('sh', 'DATA_DIR=/var/lib/our-love-story')}PORT=${port}\n`;
    systemd = await bootSystemd({ unit: operatingText('ini', 'ExecStart='), env });
    await systemd.run('systemctl', 'start', 'our-love-story');
    await untilServing(url).catch(async (error: unknown) => {
      throw new Error(await systemd.log(), { cause: error });
    });
  });
  afterAll(() => systemd?.stop());

  const appPid = async () => (await systemd.run('pgrep', '-f', '^[^ ]*node .*dist/app/server/main.cjs')).trim();
  /** Runs a shell command as root in the file system that the app sees. Returns what it prints. */
  const inApp = async (command: string) => {
    return systemd.run('nsenter', '-t', await appPid(), '--mount', 'sh', '-c', `(${command}) 2>&1 || true`);
  };

  it('works under its restrictions: somebody registers, uploads a photograph, and it is backed up', {
    tags: ['running.proxies.3', 'running.load.1'],
  }, async () => {
    const printed = (await systemd.log()).match(/^Setup code: .*\n/gm) ?? [];
    expect(setupCodeOf({ printed })).not.toBeNull();
    ada = await registerAda({ url, printed });
    const { id } = await planDate(ada);
    const photo = await makeJpeg({ width: 800 });
    expect((await upload(ada, photo, { dateId: id })).status).toBe(201);
    await expect.poll(() => systemd.log()).toContain('"the backup is verified"');
    // Its sandbox lets it lower the priority of the threads that processed the photograph.
    const threads = await systemd.run('ps', '-L', '-o', 'ni=,comm=', '-p', await appPid());
    expect(threads).toMatch(/^ *5 libuv-worker$/m);
  });

  it('runs without any privilege', { tags: ['running.proxies.3'] }, async () => {
    const status = await systemd.run('cat', `/proc/${await appPid()}/status`);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^CapBnd:\s+0+$/m);
    expect(status).not.toMatch(/^Uid:\s+0\s/m);
  });

  it('can write only to its data, its backups and its own folder, and has a /tmp of its own', {
    tags: ['running.proxies.3'],
  }, async () => {
    for (const folder of ['/etc', '/usr', '/var/lib', '/srv']) {
      expect(await inApp(`touch ${folder}/forbidden`)).toContain('Read-only file system');
    }
    for (const folder of ['/var/lib/our-love-story', '/mnt/backup', '/opt/our-love-story', '/tmp']) {
      expect(await inApp(`touch ${folder}/allowed`)).toBe('');
    }
    await systemd.run('touch', '/tmp/of-the-system');
    expect(await inApp('ls /tmp')).toBe('allowed\n');
    expect(await inApp('ls -A /home')).toBe('');
    expect(await inApp('ls /dev')).not.toMatch(/^(sd|vd|nvme|loop|mem|kmsg)/m);
  });

  it('ends on a signal, and starts again on its data', { tags: ['running.proxies.3'] }, async () => {
    await systemd.run('systemctl', 'restart', 'our-love-story');
    await untilServing(url);
    expect((await ada.call('GET /api/Memories')).body).toHaveLength(1);
    await systemd.run('systemctl', 'stop', 'our-love-story');
    expect(await systemd.run('systemctl', 'show', 'our-love-story', '-p', 'Result')).toBe('Result=success\n');
  });
});
