import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { SERVER_ENV, SERVER_FLAGS } from './lib/server-process.ts';
import { root } from './lib/tools.ts';
import { isWebFresh } from './lib/web-build.ts';

/** `npm start`: builds the page where it is stale, then becomes the server. Nothing is said on standard output. */
if (!isWebFresh()) {
  process.stderr.write('Building the page …\n');
  await buildWeb();
  // A page over its budget is a matter for `npm test`, not a reason to stay closed.
  if (!isWebFresh()) {
    process.stderr.write('The page could not be built; see above.\n');
    process.exit(1);
  }
}
becomeServer([...SERVER_FLAGS, join(root, 'src/app/server/main.ts'), ...process.argv.slice(2)]);

/** Builds in a process of its own: the building tools would stay in the server's memory. */
function buildWeb(): Promise<void> {
  return new Promise((done) => {
    spawn(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: ['ignore', 2, 2] }).on('close', () =>
      done(),
    );
  });
}

function becomeServer(args: readonly string[]): void {
  const env = { ...SERVER_ENV, ...process.env };
  if (process.platform !== 'win32' && process.execve) {
    process.execve(process.execPath, [process.execPath, ...args], env);
  }
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  // A Ctrl-C reaches the server by itself.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? 1));
}
