import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';
import { root } from './lib/root.ts';

/**
 * `npm run dev`: serves the page on http://127.0.0.1:5173 with hot reload, and runs the server behind it, which restarts
 * when its sources change. `PORT` sets the server's port, `WEB_PORT` the page's.
 */

/** The server's port. `vite.config.ts` reads it as `API_PORT`. */
const port = process.env.PORT ?? '3000';
process.env.API_PORT = port;

const server = spawn(process.execPath, ['--watch-preserve-output', '--watch', join(root, 'src/app/server/main.ts')], {
  cwd: root,
  env: { LOG_LEVEL: 'warn', ...process.env, PORT: port },
  // Piped, to drop the line with the server's own URL: that URL shows the last built page.
  stdio: ['ignore', 'pipe', 'inherit'],
  // In its own process group, so that Ctrl-C reaches only this process, which stops both.
  detached: process.platform !== 'win32',
});
server.stdout.setEncoding('utf8').on('data', (text: string) => {
  process.stdout.write(text.replaceAll(/Our Love Story is ready at .*\n/g, ''));
});

const page = await createServer({ configFile: join(root, 'vite.config.ts') });
await page.listen();
page.printUrls();

// Vite's own handler would exit at once and leave the server running.
process.removeAllListeners('SIGTERM');
const ended = new Promise((resolve) => server.on('exit', resolve));
const stop = async () => {
  server.kill('SIGTERM');
  await Promise.all([page.close(), ended]);
  process.exit(0);
};
process.once('SIGINT', () => void stop()).once('SIGTERM', () => void stop());
