import { describe, expect, it } from 'vitest';
import { DecodeQueue } from './decode-queue.ts';

/** Jobs by name. Each runs until the test ends it. */
function jobsOf(queue: DecodeQueue) {
  const ends = new Map<string, () => void>();
  return {
    running: () => [...ends.keys()],
    add: (name: string, bytes: number) =>
      queue.run(
        bytes,
        () =>
          new Promise<string>((resolve) => {
            ends.set(name, () => {
              ends.delete(name);
              resolve(name);
            });
          }),
      ),
    end: async (name: string) => {
      ends.get(name)?.();
      await new Promise((done) => setImmediate(done));
    },
  };
}

describe('the decode queue', () => {
  it('runs jobs in order within its limits of jobs and bytes', async () => {
    const { running, add, end } = jobsOf(new DecodeQueue({ jobs: 3, bytes: 100, largeBytes: 50 }));
    for (const [name, bytes] of [
      ['a', 40],
      ['b', 40],
      ['c', 40],
      ['d', 10],
      ['e', 10],
    ] as const)
      void add(name, bytes);
    // There would be room for d, but c comes first.
    expect(running()).toEqual(['a', 'b']);
    await end('a');
    expect(running()).toEqual(['b', 'c', 'd']);
    await end('c');
    expect(running()).toEqual(['b', 'd', 'e']);
  });

  it('runs one large job at a time, and small jobs beside it', { tags: ['memories.pictures.14'] }, async () => {
    const { running, add, end } = jobsOf(new DecodeQueue({ jobs: 4, bytes: 100, largeBytes: 40 }));
    for (const [name, bytes] of [
      ['huge', 5_000],
      ['large', 90],
      ['a', 20],
      ['b', 20],
      ['c', 20],
    ] as const) {
      void add(name, bytes);
    }
    expect(running()).toEqual(['huge', 'a', 'b']);
    await end('a');
    expect(running()).toEqual(['huge', 'b', 'c']);
    await end('huge');
    expect(running()).toEqual(['b', 'c', 'large']);
  });

  it('does not starve a large job when small jobs keep coming', { tags: ['memories.pictures.14'] }, async () => {
    const { running, add, end } = jobsOf(new DecodeQueue({ jobs: 4, bytes: 100, largeBytes: 40 }));
    for (const name of ['a', 'b', 'c']) void add(name, 30);
    void add('large', 60);
    for (const name of ['d', 'e', 'f']) void add(name, 30);
    for (const name of ['a', 'b']) await end(name);
    expect(running()).toEqual(['c', 'large']);
  });

  it('starts the next job before the caller of the last one continues', async () => {
    const queue = new DecodeQueue({ jobs: 1, bytes: 100, largeBytes: 40 });
    const order: string[] = [];
    await Promise.all([
      queue.run(10, async () => undefined).then(() => order.push('caller')),
      queue.run(10, async () => order.push('next job')),
    ]);
    expect(order).toEqual(['next job', 'caller']);
  });

  it('continues after a failed job, and rethrows its error', async () => {
    const queue = new DecodeQueue({ jobs: 1, bytes: 100, largeBytes: 40 });
    const failing = queue.run(10, () => Promise.reject(new Error('broken')));
    const next = queue.run(10, async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
