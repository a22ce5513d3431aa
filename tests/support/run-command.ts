import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/lib/root.ts';
import { SERVER_ENV } from '../../scripts/lib/server-launch-settings.ts';

/** What a command printed, and its exit code. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The environment of a command, without that of this process, which may configure another server. */
export function commandEnv(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, NODE_COMPILE_CACHE: SERVER_ENV.NODE_COMPILE_CACHE, ...variables };
}

/** The path of a command's script. */
export function commandPath(name: string): string {
  return join(root, 'scripts', `${name}.ts`);
}

/** Runs `npm run <name>` in a process of its own, with these variables alone, and `input` as its standard input. */
export function runCommand(
  name: string,
  variables: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  input = '',
): Promise<Said> {
  return new Promise((done) => {
    const options = { env: commandEnv(variables) };
    const child = execFile(process.execPath, [commandPath(name), ...args], options, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code ?? 1), out, err }),
    );
    child.stdin?.end(input);
  });
}
