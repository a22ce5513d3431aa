import { setToken } from '../../../base/web/net/access-token.ts';
import type { SignedIn } from '../../contract.ts';
import { setPendingEnding } from './pending-ending.ts';
import { confirmSession } from './session.ts';
import { sessionTabs } from './session-tabs.ts';

/** Signs in with the reply of login, register or join. The router then redirects by itself. */
export function signInWith({ token, user }: SignedIn): void {
  setToken(token);
  setPendingEnding(null);
  confirmSession(user);
  sessionTabs.postMessage('in');
}
