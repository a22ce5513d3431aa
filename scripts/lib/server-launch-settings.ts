import { join } from 'node:path';
import { THREAD_POOL_SIZE } from '../../src/base/server/process/thread-pool.ts';
import { root } from './root.ts';

/** Entry, Node flags and environment of the server's process. */

/** What `npm run build` makes of `src/app/server/main.ts`. */
export const SERVER_ENTRY = join(root, 'dist/app/server/main.cjs');

/** Limits V8's young generation, which would otherwise grow by 40 MB without benefit while photographs stream through. */
export const SERVER_FLAGS: readonly string[] = ['--max-semi-space-size=16'];

export const SERVER_ENV = {
  /** With one arena per thread, glibc would keep much of the memory that image processing has freed. */
  MALLOC_ARENA_MAX: '2',
  /** Images and passwords must leave threads for files, DNS, and compression. */
  UV_THREADPOOL_SIZE: String(THREAD_POOL_SIZE),
  /** Node keeps compiled code here, which saves a third of a start. */
  NODE_COMPILE_CACHE: join(root, 'dist/compiled'),
} as const;
