/** How a server's process is started, wherever it is: what it holds in memory hangs on both. */

/** V8 would let its young objects grow to three times that while photographs stream through: 40 MB that nobody needs. */
export const SERVER_FLAGS: readonly string[] = ['--max-semi-space-size=16'];

/** With an arena for each thread, glibc keeps much of what the picture work has let go. */
export const SERVER_ENV = { MALLOC_ARENA_MAX: '2' } as const;
