import { useStore } from '../../../base/web/state/use-store.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import type { User } from '../../contract.ts';
import { confirmAtProvider, proof } from '../oidc/proof.ts';
import { useOidc } from '../oidc/use-oidc.ts';
import { canUsePasskeys } from '../passkeys/supports-passkeys.ts';
import { useUser } from '../session/use-session.ts';

interface Ways {
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  /** The OpenID provider, if the user is connected with it. */
  readonly provider: { readonly name: string } | null;
  /** What the provider has brought back. */
  readonly brought: { readonly value: string } | null;
}

/** How the signed-in user can confirm what they do. */
export function useWays(): Ways {
  // Missing in a user that an older version saved on this device.
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

interface OtherWaysProps {
  /** The label of the action, which is open again after the way to the provider and back. */
  readonly action: string;
  readonly isBusy: boolean;
  /** Runs a step of the confirmation, and shows its failure. */
  readonly attempt: (step: () => Promise<unknown>) => Promise<void>;
  readonly onPasskey: () => void;
}

/** The buttons of the ways to confirm other than the password: the provider where the account has none, and a passkey. */
export function OtherWays({ action, isBusy, attempt, onPasskey }: OtherWaysProps) {
  const { hasPassword, hasPasskey, provider, brought } = useWays();
  if (brought && !hasPassword) return null;
  return (
    <>
      {!hasPassword && provider && (
        <Button busy={isBusy} onClick={() => void attempt(() => confirmAtProvider(action))}>
          <span>
            Confirm with <bdi>{provider.name}</bdi>
          </span>
        </Button>
      )}
      {hasPasskey && (
        <Button disabled={isBusy} onClick={onPasskey}>
          {hasPassword ? 'Use a passkey instead' : 'Use a passkey'}
        </Button>
      )}
    </>
  );
}
