/** What holds a screen back while it must not be left: something is being written, or sent. */
export interface Guard {
  ask(): Promise<boolean>;
  release(): void;
}

/** The screens that hold something back: one at most, save while one screen gives way to the next. */
export const guards = new Set<Guard>();

/** Whether this screen may be left: at once where nothing holds it, else when the question is answered. */
export function mayLeave(): true | Promise<boolean> {
  const [guard] = guards;
  if (!guard) return true;
  return guard.ask().then((yes) => {
    if (yes) guard.release();
    return yes;
  });
}

/** Whether something is being written or sent, which must not be disturbed. */
export function isHeld(): boolean {
  return guards.size > 0;
}

/** Lets every screen go without a question: the session is over. */
export function releaseScreens(): void {
  for (const guard of guards) guard.release();
  guards.clear();
}
