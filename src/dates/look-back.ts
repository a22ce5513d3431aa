import type { UserId } from '../base/ids.ts';

/** Whether a user doesn't want to look back on a date. @param notLookedBackBy as stored */
export function isLeftOut(user: UserId, notLookedBackBy: string | null): boolean {
  return notLookedBackBy?.split(',').includes(user) ?? false;
}

/** What to store after a user has said whether to look back on a date. */
export function withLookBack(user: UserId, notLookedBackBy: string | null, shown: boolean): string | null {
  const others = (notLookedBackBy?.split(',') ?? []).filter((id) => id !== user);
  return (shown ? others : [...others, user]).join() || null;
}
