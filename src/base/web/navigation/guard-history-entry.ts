import { hasGuard, isGuardEntry, leaveBy } from './guards.ts';

/*
 * The guard entry, for browsers without the Navigation API, which cannot cancel a step back. A form with unsaved changes
 * gets a second history entry with the same address, which 'back' leaves first. Both entries are marked, so that no
 * press of 'back' ends on the first one: it returns to the guard entry, or continues to the screen before the form. A
 * link replaces the guard entry (`app/web/routing/change-screen-once-loaded.ts`).
 */

/** With the Navigation API a step back can be cancelled, and there are no guard entries. */
const canCancelSteps = 'navigation' in globalThis;

/** The mark in the `history.state` of the entry below the guard entry. */
const BELOW = 'below';

/** Adds the guard entry, unless the current entry is one or there is no screen to go back to. */
export function addGuardEntry(): void {
  if (canCancelSteps || isGuardEntry() || history.length === 1) return;
  history.replaceState({ guard: BELOW }, '');
  history.pushState({ guard: true }, '');
}

/** The path of the current entry. */
let path = location.pathname;

function afterStep({ state }: { readonly state: unknown }): void {
  const isSamePath = path === location.pathname;
  path = location.pathname;
  if (!isSamePath) return;
  if (isGuardEntry()) {
    // Tell `usePageChange` that this was not a step back, so that the next screen opens at its top.
    dispatchEvent(new Event('pushState'));
  } else if ((state as { readonly guard?: unknown } | null)?.guard === BELOW) {
    leave();
  }
}

/** Goes back from the entry below the guard entry, if the user may leave the form; else returns to the guard entry. */
function leave(): void {
  const isGuarded = hasGuard();
  leaveBy(() => history.back());
  if (isGuarded) history.forward();
}

if (!canCancelSteps) {
  window.addEventListener('popstate', afterStep);
  for (const type of ['pushState', 'replaceState']) {
    window.addEventListener(type, () => {
      path = location.pathname;
    });
  }
}
