import { createStore } from '../../../base/web/state/store.ts';
import { goToProvider } from './go-to-provider.ts';

/** Which action the user confirms at the provider, by the label of its button, while the page is away. */
const CONFIRMING = 'openid-confirming';

interface Proof {
  readonly value: string;
  /** The label of the action for which it was asked. */
  readonly action: string | null;
}

/** What the OpenID provider has brought back for one action, until it is used. It is only in memory. */
export const proof = createStore<Proof | null>(takeProof());

/** Takes the proof out of the address of this page, so that it stays in no history. */
function takeProof(): Proof | null {
  const value = /^#oidcProof=([\w-]{43})$/.exec(location.hash)?.[1];
  if (value === undefined) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return { value, action: takeAction() };
}

function takeAction(): string | null {
  try {
    const action = sessionStorage.getItem(CONFIRMING);
    sessionStorage.removeItem(CONFIRMING);
    return action;
  } catch {
    // Without storage, the user opens the action again.
    return null;
  }
}

/** Leaves the page for the OpenID provider, to confirm an action. @throws ApiError */
export async function confirmAtProvider(action: string): Promise<void> {
  try {
    sessionStorage.setItem(CONFIRMING, action);
  } catch {
    // As above.
  }
  await goToProvider({ intent: 'confirm', returnUrl: location.pathname });
}
