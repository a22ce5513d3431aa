import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from './lib/tools.ts';

/**
 * `npm run dev`: the page on http://127.0.0.1:5173 with what is changed shown at once, and behind it the server, which
 * starts again when its sources change. `PORT` moves the server, `WEB_PORT` the page.
 */
const port = process.env.PORT ?? '3000';
process.env.API_PORT = port;

const server = spawn(process.execPath, ['--watch-preserve-output', '--watch', join(root, 'src/app/server/main.ts')], {
  cwd: root,
  env: { LOG_LEVEL: 'warn', ...process.env, PORT: port },
  // The server's own line would send people to the page that was built last.
  stdio: ['ignore', 'pipe', 'inherit'],
  // A Ctrl-C is for us: we end both in good order.
  detached: process.platform !== 'win32',
});
server.stdout.setEncoding('utf8').on('data', (text: string) => {
  process.stdout.write(text.replaceAll(/Our Love Story is ready at .*\n/g, ''));
});

const page = await createServer({ configFile: join(root, 'vite.config.ts') });
await page.listen();
page.printUrls();

// Vite would leave at once, and the server alone behind.
process.removeAllListeners('SIGTERM');
const ended = new Promise((done) => server.on('exit', done));
const stop = async () => {
  server.kill('SIGTERM');
  await Promise.all([page.close(), ended]);
  process.exit(0);
};
process.once('SIGINT', () => void stop()).once('SIGTERM', () => void stop());
