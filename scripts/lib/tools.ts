import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of the project. */
export const root = resolve(import.meta.dirname, '../..');

/** What a program said and how it ended; `output` holds both its streams in the order in which they came. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** The file which a package offers as its command, so that it can be run by this Node on every system. */
export function commandOf(packageName: string, command = packageName): string {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === 'string' ? bin : bin[command];
  if (file === undefined) throw new Error(`The package ${packageName} offers no command '${command}'.`);
  return join(folder, file);
}

/** Runs a program and keeps what it says. It is ended with this process. */
export function capture(program: string, args: readonly string[], cwd = root): Promise<Outcome> {
  return new Promise((done, failed) => {
    const env = { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' };
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => parts.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => parts.push(text));
    child.on('error', failed);
    child.on('close', (code) => done({ code: code ?? 1, output: parts.join('') }));
  });
}

/** Runs a program on this terminal; the answer is its exit code. */
export function show(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env });
    // A terminal's Ctrl-C reaches the child by itself; this process must only outlive it.
    const pass = (signal: NodeJS.Signals) => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal);
    process.on('SIGINT', pass).on('SIGTERM', pass);
    child.on('error', failed);
    child.on('close', (code, signal) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      done(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}
