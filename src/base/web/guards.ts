/** Asks before the user leaves a screen with unsaved changes or a running upload. */
export interface Guard {
  ask(): Promise<boolean>;
  release(): void;
}

/** The active guards: at most one, except during the transition between two screens. */
export const guards = new Set<Guard>();

/** Returns whether the user may leave the screen: immediately without a guard, else after the question. */
export function mayLeave(): true | Promise<boolean> {
  const [guard] = guards;
  if (!guard) return true;
  return guard.ask().then((yes) => {
    if (yes) guard.release();
    return yes;
  });
}

/** Returns whether a guard is active. */
export function isHeld(): boolean {
  return guards.size > 0;
}

/** Removes all guards without asking, because the session ended. */
export function releaseScreens(): void {
  for (const guard of guards) guard.release();
}

/** Returns whether the current history entry is a form's guard entry (`kit/web/forms/guard-entry.ts`). */
export function isGuardEntry(): boolean {
  return (history.state as { readonly guard?: unknown } | null)?.guard === true;
}
