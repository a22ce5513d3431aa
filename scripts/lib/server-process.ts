/** Node flags and environment of the server's process. Both keep its memory small. */

/** Limits V8's young generation, which would otherwise grow by 40 MB without benefit while photographs stream through. */
export const SERVER_FLAGS: readonly string[] = ['--max-semi-space-size=16'];

/** With one arena per thread, glibc would keep much of the memory that image processing has freed. */
export const SERVER_ENV = { MALLOC_ARENA_MAX: '2' } as const;
