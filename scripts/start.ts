import { spawn } from 'node:child_process';
import { ensureBuilt } from './lib/ensure-built.ts';
import { SERVER_ENTRY, SERVER_ENV, SERVER_FLAGS } from './lib/server-launch-settings.ts';

/** `npm start`: builds what is stale, then replaces itself with the server. Leaves standard output to it. */
if (!(await ensureBuilt())) {
  process.stderr.write('Could not build the app; see above.\n');
  process.exit(1);
}
execServer([...SERVER_FLAGS, SERVER_ENTRY, ...process.argv.slice(2)]);

function execServer(args: readonly string[]): void {
  const env = { ...SERVER_ENV, ...process.env };
  if (process.platform !== 'win32' && process.execve) {
    process.execve(process.execPath, [process.execPath, ...args], env);
  }
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  // The terminal sends Ctrl-C to the server too.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
}
