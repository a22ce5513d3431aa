import { afterEach, expect, it, vi } from 'vitest';
import { scheduleRetry } from './schedule-retry.ts';

afterEach(() => vi.useRealTimers());

it('tries again after 15 seconds, or at once when the browser is online again', {
  tags: ['screens.offline.5', 'accounts.signout.1'],
}, () => {
  vi.useFakeTimers();
  const retry = vi.fn<() => void>();
  scheduleRetry(retry);
  vi.advanceTimersByTime(14_999);
  expect(retry).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(retry).toHaveBeenCalledTimes(1);

  scheduleRetry(retry);
  dispatchEvent(new Event('online'));
  vi.advanceTimersByTime(15_000);
  expect(retry).toHaveBeenCalledTimes(2);

  const cancel = scheduleRetry(retry);
  cancel();
  dispatchEvent(new Event('online'));
  expect(retry).toHaveBeenCalledTimes(2);
});
