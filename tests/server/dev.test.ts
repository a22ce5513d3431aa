import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { freePorts } from '../support/free-ports.ts';

it('npm run dev serves page and API without any other program', { tags: ['running.repository.2'] }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-dev-'));
  const [port = 0, webPort = 0] = await freePorts(2);
  // Nothing is on this PATH: no Ceph, no PostgreSQL, no browser.
  const env = { PATH: folder, DATA_DIR: join(folder, 'data'), PORT: `${port}`, WEB_PORT: `${webPort}` };
  const dev = spawn(process.execPath, [join(root, 'scripts/dev.ts')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  dev.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  try {
    const load = (path: string, at = webPort) =>
      fetch(`http://127.0.0.1:${at}${path}`, { headers: { accept: 'text/html' } });
    for (const [path, at] of [
      ['/readyz', port],
      ['/main.ts', webPort],
    ] as const) {
      await expect.poll(() => load(path, at).then(({ status }) => status, String), { timeout: 40_000 }).toBe(200);
    }
    expect(await (await load('/auth/register')).text()).toContain('/main.ts');
    expect(await (await load('/api/auth/status')).json()).toMatchObject({ registration: 'first' });
    expect((await load('/main.ts')).headers.get('content-type')).toContain('javascript');
    expect(errors).toBe('');
  } finally {
    dev.kill('SIGTERM');
    await once(dev, 'exit');
    await rm(folder, { recursive: true });
  }
});
