import { chooseFormats } from '../../../base/date-formats.ts';
import { hasAnswered } from '../../../base/web/net/reachable.ts';
import { createStore } from '../../../base/web/state/store.ts';
import { remember } from '../../../base/web/storage/device-store.ts';
import type { User } from '../../contract.ts';

/**
 * The state of the session. `in`: a user is signed in. A page begins with the last user of this device, and with what they
 * last saw, before the server has confirmed the session (decision 44). `unreachable`: the server could not be asked, which
 * signs nobody out, and this device knows no user. `suspended`: the operator has suspended the space. `ended`: the session
 * is over, and a fresh page that knows nothing of the couple is about to replace this one.
 */
export type PageSession =
  | { readonly is: 'starting' | 'out' | 'unreachable' | 'suspended' | 'ended' }
  | { readonly is: 'in'; readonly user: User; readonly isConfirmed: boolean };

/** The session of this page. It uses no React, because it starts before React is loaded. */
export const session = createStore<PageSession>({ is: 'starting' });
// The first listener, so it runs before anything renders.
session.subscribe(() => {
  const now = session.get();
  // Missing in a user that version 1.0.0 saved on this device.
  chooseFormats((now.is === 'in' && now.user.formats) || 'us');
});

/** The id of the signed-in user, or null. */
export function userId(): string | null {
  const now = session.get();
  return now.is === 'in' ? now.user.id : null;
}

/** Whether the server has confirmed the session of this page. */
export function isConfirmed(): boolean {
  const now = session.get();
  return now.is === 'in' && now.isConfirmed;
}

/** Begins the session that the server has confirmed. */
export function confirmSession(user: User): void {
  hasAnswered.set(true);
  remember('known', 'yes');
  session.set({ is: 'in', user, isConfirmed: true });
}

/** Updates the user after a change in the settings or by the partner. */
export function setUser(user: User): void {
  const now = session.get();
  if (now.is === 'in') session.set({ ...now, user });
}
