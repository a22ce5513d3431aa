import { useEffect, useState } from 'react';
import { keptCalls } from '../../../base/web/storage/outbox.ts';
import { type KeptCall, outboxChanges } from '../../../base/web/storage/outbox-database.ts';

/** The calls in this user's outbox, in the order they were made. */
export function useOutbox(owner: string): readonly KeptCall[] {
  return useKeptOnDevice(keptCalls, owner);
}

/** What a user has in the outbox or typed, as `read` returns it. It is read again when something is sent or refused. */
export function useKeptOnDevice<T>(read: (owner: string) => Promise<readonly T[]>, owner: string): readonly T[] {
  const [kept, setKept] = useState<readonly T[]>([]);
  useEffect(() => {
    let isGone = false;
    const update = () => {
      read(owner).then(
        (found) => !isGone && setKept(found),
        () => undefined,
      );
    };
    update();
    const stop = outboxChanges.subscribe(update);
    return () => {
      isGone = true;
      stop();
    };
  }, [read, owner]);
  return kept;
}
