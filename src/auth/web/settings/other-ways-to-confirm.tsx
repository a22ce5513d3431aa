import { Button } from '../../../kit/web/forms/button.tsx';
import { confirmAtProvider } from '../oidc/proof.ts';
import { useWaysToConfirm } from './use-ways-to-confirm.ts';

interface OtherWaysToConfirmProps {
  /** The label of the action, which is open again after the way to the provider and back. */
  readonly action: string;
  readonly isBusy: boolean;
  /** Runs a step of the confirmation, and shows its failure. */
  readonly attempt: (step: () => Promise<unknown>) => Promise<void>;
  readonly onPasskey: () => void;
}

/** The buttons of the ways to confirm other than the password: the provider where the account has none, and a passkey. */
export function OtherWaysToConfirm({ action, isBusy, attempt, onPasskey }: OtherWaysToConfirmProps) {
  const { hasPassword, hasPasskey, provider, brought } = useWaysToConfirm();
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
