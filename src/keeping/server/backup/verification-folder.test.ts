import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { withVerificationFolder } from './verification-folder.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, 'verification-folder.ts')).href;

/** Another process with a folder for its verification. It ends when it is killed, or with this process. */
async function startVerification() {
  const program = `
    const { withVerificationFolder } = await import(${JSON.stringify(MODULE)});
    await withVerificationFolder(async (folder) => {
      console.log(folder);
      await new Promise((resolve) => process.stdin.resume().on('end', resolve));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [folder] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    folder,
    end: async (signal: 'SIGKILL' | null) => {
      const ended = once(child, 'close');
      if (signal === null) child.stdin.end();
      else child.kill(signal);
      await ended;
    },
  };
}

it('a verification removes the folder that a killed one left, and not the folder of another one', {
  tags: ['keeping.backup.4'],
}, async () => {
  const [killed, running] = await Promise.all([startVerification(), startVerification()]);
  await killed.end('SIGKILL');
  expect(existsSync(killed.folder)).toBe(true);
  await withVerificationFolder(async (folder) => {
    expect([killed.folder, running.folder, folder].map(existsSync)).toEqual([false, true, true]);
  });
  await running.end(null);
  expect(existsSync(running.folder)).toBe(false);
});

it('two verifications at the same time never remove the folder of the other one', {
  tags: ['keeping.backup.4'],
}, async () => {
  const program = `
    const { withVerificationFolder } = await import(${JSON.stringify(MODULE)});
    const { existsSync } = await import('node:fs');
    let lost = 0;
    for (let run = 0; run < 200; run += 1) {
      await withVerificationFolder(async (folder) => {
        await new Promise((resolve) => setImmediate(resolve));
        if (!existsSync(folder)) lost += 1;
      });
    }
    console.log(lost);`;
  const verifyOften = async () => {
    const args = ['--input-type=module', '--eval', program];
    return (await promisify(execFile)(process.execPath, args)).stdout.trim();
  };
  expect(await Promise.all([verifyOften(), verifyOften(), verifyOften()])).toEqual(['0', '0', '0']);
});
