import { vi } from 'vitest';

/**
 * Starts a server whose background jobs run only at the start, and not again every minute: for tests that run a job
 * themselves, which the server could otherwise be doing at the same moment.
 */
export async function startWithoutRounds<T>(start: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    return await start();
  } finally {
    vi.useRealTimers();
  }
}
