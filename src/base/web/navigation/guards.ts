/** Asks before the user leaves a screen with unsaved changes or a running upload. */
export interface Guard {
  ask(): Promise<boolean>;
  /** Lifts the guard. */
  release(): void;
  /** Lifts the guard, and drops the draft of what it guards: the user agreed to lose it. */
  leave(): void;
}

/** The active guards: at most one, except during the transition between two screens. */
export const guards = new Set<Guard>();

/**
 * Returns whether the user may leave the screen: immediately without a guard, else after the question. The guards stay,
 * because something else may still keep the user there.
 */
export function mayLeave(): true | Promise<boolean> {
  const [guard] = guards;
  return guard ? guard.ask() : true;
}

/** Leaves the screen by `go` once the user may leave it: immediately without a guard. */
export function leaveBy(go: () => void): void {
  const allowed = mayLeave();
  if (allowed === true) go();
  else
    void allowed.then((yes) => {
      if (!yes) return;
      for (const guard of guards) guard.leave();
      go();
    });
}

/** Returns whether a guard is active. */
export function hasGuard(): boolean {
  return guards.size > 0;
}

/** Removes all guards without asking, because the session has ended. Drafts stay. */
export function releaseScreens(): void {
  for (const guard of guards) guard.release();
}

/**
 * Returns whether the current history entry is a form's guard entry. The first page needs this, but not
 * `guard-history-entry.ts`, which adds the entries and is loaded with the forms.
 */
export function isGuardEntry(): boolean {
  return (history.state as { readonly guard?: unknown } | null)?.guard === true;
}
