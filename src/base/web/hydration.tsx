import { type ReactNode, useState, useSyncExternalStore } from 'react';

/** For `useSyncExternalStore`, if only hydration and renders change what it reads. */
export const neverChanges = () => () => undefined;

/** Returns false on the server and during hydration, and true afterwards and on pages that the browser renders. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

/** Whether the server rendered this component. The result does not change after hydration. */
export function useWasServerRendered(): boolean {
  return useState(!useHydrated())[0];
}

/** Renders its children in the browser only, after hydration. */
export function AfterHydration({ children }: { children: ReactNode }) {
  return useHydrated() && children;
}

/**
 * Disables all buttons and fields inside until hydration, so that no press or input is lost. Links work without React
 * and stay enabled.
 */
export function DisabledUntilHydrated({ children }: { children: ReactNode }) {
  return (
    <fieldset role="presentation" className="contents" disabled={!useHydrated()}>
      {children}
    </fieldset>
  );
}
