import { useLayoutEffect, useState } from 'react';
import { useUser } from '../../../auth/web/session/use-session.ts';
import type { PlannedDate } from '../../contract.ts';
import { isWrapped } from '../../is-hidden.ts';
import { rememberWrapped, takeWrapped } from './wrapped-store.ts';

/**
 * Whether a date is being unwrapped here: it is revealed, and was seen wrapped on this device until now. That stays true
 * as long as the screen is open, and is true on one screen only. A hidden page waits until it can be seen.
 */
export function useUnwrapping({ id, surprise }: Pick<PlannedDate, 'id' | 'surprise'>): boolean {
  const owner = useUser().id;
  const [unwrapped, setUnwrapped] = useState<string | null>(null);
  const isParcel = isWrapped({ surprise });
  const isRevealed = surprise?.revealed === true;
  useLayoutEffect(() => {
    if (isParcel && id !== '') rememberWrapped(owner, id);
    if (!isRevealed) return undefined;
    const take = () => {
      if (!document.hidden && takeWrapped(owner, id)) setUnwrapped(id);
    };
    take();
    document.addEventListener('visibilitychange', take);
    return () => document.removeEventListener('visibilitychange', take);
  }, [owner, id, isParcel, isRevealed]);
  return isRevealed && unwrapped === id;
}
