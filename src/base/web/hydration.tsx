import { type ReactNode, Suspense, useState, useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** False on the server and during hydration; true afterwards, and on pages that the browser renders. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}

/** Whether this component was rendered on the server; it stays true after hydration. */
export function useWasServerRendered(): boolean {
  return useState(!useHydrated())[0];
}

/** Renders its children in the browser only, so that hydration does not wait for them. */
export function AfterHydration({ children }: { children: ReactNode }) {
  return useHydrated() && <Suspense>{children}</Suspense>;
}

/**
 * Disables every button and field inside until React listens to them, so that no press and no typed letter is lost.
 * Links work without React and stay enabled.
 */
export function DisabledUntilHydrated({ children }: { children: ReactNode }) {
  return (
    <fieldset role="presentation" className="contents" disabled={!useHydrated()}>
      {children}
    </fieldset>
  );
}
