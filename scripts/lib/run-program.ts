import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { root } from './root.ts';

/** A program's exit code, as `exitCodeOf` has it, and its standard output and error in the order in which they arrived. */
export interface ProgramResult {
  readonly code: number;
  readonly output: string;
}

/** The path of a package's command, a script to run with this Node on every system. Throws if there is none. */
export function commandOf(packageName: string, command = packageName): string {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>;
  };
  const file = typeof bin === 'string' ? bin : bin[command];
  if (file === undefined) throw new Error(`The package ${packageName} has no command '${command}'.`);
  return join(folder, file);
}

/** Runs a program and collects its output. Rejects if it can't be started. */
export function runCaptured(program: string, args: readonly string[], cwd = root): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const { child, output } = startCaptured(program, args, cwd);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: exitCodeOf(code, signal), output: output() }));
  });
}

/** Runs a program with this process's standard streams, and forwards signals to it. Returns its exit code. */
export function runShown(program: string, args: readonly string[]): Promise<number> {
  return untilClosed(spawn(program, args, { cwd: root, stdio: 'inherit' }));
}

/** Runs a program whose output is shown later, because that of another is being shown. Forwards signals to it. */
export async function runShownLater(program: string, args: readonly string[]): Promise<ProgramResult> {
  const { child, output } = startCaptured(program, args, root);
  return { code: await untilClosed(child), output: output() };
}

/** A program's exit code; for one that a signal ended, which has none, 128 and the signal's number, as shells do. */
function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
}

/** Forwards signals to a program until it has ended. Returns its exit code. */
function untilClosed(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    // The terminal sends Ctrl-C to the child too; this process only waits for it.
    const forward = (signal: NodeJS.Signals) => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    process.on('SIGINT', forward).on('SIGTERM', forward);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', forward).off('SIGTERM', forward);
      resolve(exitCodeOf(code, signal));
    });
  });
}

/** Starts a program, and collects its standard output and error in the order in which they arrive. */
function startCaptured(program: string, args: readonly string[], cwd: string) {
  const env = { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => parts.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => parts.push(text));
  return { child, output: () => parts.join('') };
}
