import { availableParallelism } from 'node:os';

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
