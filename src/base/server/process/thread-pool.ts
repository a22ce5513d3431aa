import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';

/**
 * libuv's thread pool, which runs image processing and password hashing, but also file reads, DNS lookups, and
 * compression. By default it has four threads, so on four cores photographs alone would occupy all of them.
 */

/**
 * Photographs decoded at a time, with one thread each. There is one more than cores, so that no core is idle while the
 * main thread takes a decoded photograph and starts the next.
 */
export const IMAGE_THREADS = availableParallelism() + 1;

/** Passwords hashed at a time. Hashing is expensive by design; the others wait in a queue. */
export const HASHING_THREADS = 2;

/** Threads that are always free for files, DNS, and compression. */
const SHORT_WORK_THREADS = 4;

/** The size that the pool needs. Node reads it from `UV_THREADPOOL_SIZE` when the process starts. */
export const THREAD_POOL_SIZE = IMAGE_THREADS + HASHING_THREADS + SHORT_WORK_THREADS;

/**
 * The nice value of the pool's threads. On busy cores they get a third of what the main thread gets, and still a quarter
 * if another program wants the whole core: a photograph's answer waits for them.
 */
const POOL_NICENESS = 5;

/** Where Linux lists the threads of this process. */
const THREADS = '/proc/self/task';

/**
 * Gives the main thread precedence over the pool's threads, and over those that they start, so that requests wait less for
 * photographs on busy cores. Only Linux has a priority for each thread, and a sandbox may forbid a change: then it does
 * nothing.
 */
export function lowerPoolPriority(): void {
  try {
    for (const thread of readdirSync(THREADS)) {
      const name = readFileSync(`${THREADS}/${thread}/comm`, 'utf8').trim();
      if (name === 'libuv-worker') setPriority(Number(thread), POOL_NICENESS);
    }
  } catch {
    // The pool works at any priority.
  }
}
