import { afterCommit } from '../db/after-commit.ts';
import type { Live } from './live.ts';
import { createLocalListeners } from './local-listeners.ts';

/** Live changes within one process, for SQLite, which only one process uses. */
export function openLocalLive(): Live {
  const local = createLocalListeners();
  return {
    announce: async (tx, coupleId, change, only) => afterCommit(tx, () => local.notify(coupleId, change, only)),
    listen: (coupleId, listener) => ({
      active: Promise.resolve(),
      hasListened: true,
      stop: local.listen(coupleId, listener),
    }),
    sinceLastChange: local.sinceLastChange,
    onGap: local.onGap,
    close: async () => undefined,
  };
}
