import { useStore } from '../../../base/web/state/use-store.ts';
import type { User } from '../../contract.ts';
import { proof } from '../oidc/proof.ts';
import { useOidc } from '../oidc/use-oidc.ts';
import { canUsePasskeys } from '../passkeys/can-use-passkeys.ts';
import { useUser } from '../session/use-session.ts';

export interface WaysToConfirm {
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  /** The OpenID provider, if the user is connected with it. */
  readonly provider: { readonly name: string } | null;
  /** The proof that the provider has brought back. */
  readonly brought: { readonly value: string } | null;
}

/** How the signed-in user can confirm what they do. */
export function useWaysToConfirm(): WaysToConfirm {
  // Missing in a user that version 1.0.0 saved on this device.
  const { signIn }: { signIn?: User['signIn'] } = useUser();
  const { password, passkeys, oidc } = signIn ?? { password: true, passkeys: 0, oidc: false };
  const provider = useOidc();
  return {
    hasPassword: password,
    hasPasskey: passkeys > 0 && canUsePasskeys(),
    provider: oidc ? provider : null,
    brought: useStore(proof),
  };
}
