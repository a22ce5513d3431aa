import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flushFolder } from './local.ts';

describe.skipIf(process.platform === 'win32')('flushes of a folder', () => {
  let folder: string;
  /** The running flushes. Each ends when the test ends it. */
  const running: { readonly end: (error?: Error) => void }[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-flush-'));
    const handle = await open(folder, 'r');
    const FileHandle = Object.getPrototypeOf(handle) as { sync(): Promise<void> };
    await handle.close();
    vi.spyOn(FileHandle, 'sync').mockImplementation(
      () =>
        new Promise((resolve, reject) => {
          running.push({ end: (error) => (error ? reject(error) : resolve()) });
        }),
    );
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    running.length = 0;
    await rm(folder, { recursive: true });
  });
  /** Calls it, and returns how it ended so far. */
  const flush = () => {
    const call = { ended: 'running' };
    flushFolder(folder).then(
      () => Object.assign(call, { ended: 'flushed' }),
      () => Object.assign(call, { ended: 'failed' }),
    );
    return call;
  };

  it('that are asked for during one share the next one, which begins after they asked', async () => {
    const first = flush();
    await expect.poll(() => running).toHaveLength(1);
    const during = [flush(), flush(), flush()];
    running[0]?.end();
    await expect.poll(() => running).toHaveLength(2);
    expect([first, ...during].map(({ ended }) => ended)).toEqual(['flushed', 'running', 'running', 'running']);
    const late = flush();
    running[1]?.end();
    await expect.poll(() => running).toHaveLength(3);
    expect([...during, late].map(({ ended }) => ended)).toEqual(['flushed', 'flushed', 'flushed', 'running']);
    running[2]?.end();
    await expect.poll(() => late.ended).toBe('flushed');
    expect(running).toHaveLength(3);
  });

  it('fail for all who share them, and for no one else', async () => {
    const first = flush();
    await expect.poll(() => running).toHaveLength(1);
    const shared = [flush(), flush()];
    running[0]?.end(new Error('i/o error'));
    await expect.poll(() => running).toHaveLength(2);
    const late = flush();
    running[1]?.end(new Error('i/o error'));
    await expect.poll(() => running).toHaveLength(3);
    running[2]?.end();
    await expect.poll(() => late.ended).toBe('flushed');
    expect([first, ...shared].map(({ ended }) => ended)).toEqual(['failed', 'failed', 'failed']);
  });
});
