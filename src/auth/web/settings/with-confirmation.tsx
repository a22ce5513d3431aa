import { type ReactNode, useEffect, useRef, useState } from 'react';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Form } from '../../../kit/web/forms/form.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import type { GivenConfirmation } from '../../confirmation.ts';
import { proof } from '../oidc/proof.ts';
import { refusalText } from '../refusal-text.ts';
import { OtherWaysToConfirm } from './other-ways-to-confirm.tsx';
import { useWaysToConfirm } from './use-ways-to-confirm.ts';

interface WithConfirmationProps {
  /** Explains the action. */
  readonly children: ReactNode;
  /** The labels of the button that opens the prompt, and of the one that submits it. */
  readonly opens: string;
  readonly does: string;
  /** The action deletes something. The cancel button is then 'Keep'. */
  readonly danger?: boolean;
  readonly icon?: ReactNode;
  /** What else the action needs to know. */
  readonly fields?: ReactNode;
  /** Asks before the action, and resolves to whether it may go on. */
  readonly asks?: () => Promise<boolean>;
  /** A mutation that takes what confirms it. The form closes when it returns something other than null. */
  readonly work: {
    readonly mutate: (confirmation: GivenConfirmation, options: { onSuccess: (answer: unknown) => void }) => void;
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly reset: () => void;
  };
}

/**
 * A button for an action that the user confirms first: by the password, or where the account has none by the OpenID
 * provider; by a passkey in either case (openid.confirming.4). After the way to the provider and back the prompt is open again.
 */
export function WithConfirmation(props: WithConfirmationProps) {
  const { children, opens, icon, work } = props;
  const [isOpen, setOpen] = useState(() => proof.get()?.action === opens);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (!isOpen && wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    work.reset();
  };
  if (isOpen) return <Prompt {...props} onClose={close} />;
  return (
    <>
      {children && <p>{children}</p>}
      <div>
        <Button ref={opener} icon={icon} onClick={() => setOpen(true)}>
          {opens}
        </Button>
      </div>
    </>
  );
}

function Prompt(props: WithConfirmationProps & { onClose: () => void }) {
  const { children, opens, does, danger = false, fields, asks, work, onClose } = props;
  const { hasPassword, hasPasskey, brought } = useWaysToConfirm();
  const [password, setPassword] = useState('');
  const { attempt, isConfirming, failure, dismiss } = useAttempt(work);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input:not([hidden]), button')?.focus(), []);
  const submit = (confirm: () => Promise<GivenConfirmation | null>) =>
    attempt(async () => {
      if ((await asks?.()) === false) return;
      const confirmation = await confirm();
      // A proof counts once.
      if (confirmation?.oidcProof) proof.set(null);
      if (confirmation) work.mutate(confirmation, { onSuccess: (answer) => answer !== null && onClose() });
    });
  const submitByPasskey = () =>
    submit(async () => {
      const passkey = await (await import('../passkeys/passkey-ceremonies.ts')).requestAssertion();
      return passkey && { passkey };
    });
  const confirmation = hasPassword ? { currentPassword: password } : brought && { oidcProof: brought.value };
  return (
    <Form
      ref={form}
      sending={work.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        if (confirmation) void submit(async () => confirmation);
      }}
    >
      {children && <p>{children}</p>}
      <Banner onDismiss={dismiss}>{failure && refusalText(asApiError(failure))}</Banner>
      {/* What is typed before the way to the provider would be lost. */}
      {(hasPassword || hasPasskey || brought) && fields}
      {hasPassword ? (
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      ) : (
        <p>{brought ? 'You have confirmed that it is you.' : 'First confirm that it is you.'}</p>
      )}
      <Actions>
        {confirmation && (
          <Button
            type="submit"
            variant={danger ? 'danger' : 'secondary'}
            busy={work.isPending}
            disabled={hasPassword && password === ''}
          >
            {does}
          </Button>
        )}
        <OtherWaysToConfirm
          action={opens}
          isBusy={work.isPending || isConfirming}
          attempt={attempt}
          onPasskey={() => void submitByPasskey()}
        />
        <Button variant={danger ? 'secondary' : 'text'} onClick={onClose}>
          {danger ? 'Keep' : 'Cancel'}
        </Button>
      </Actions>
    </Form>
  );
}

/** Runs the steps of a confirmation, one at a time, and keeps the failure of the last one or of the work itself. */
function useAttempt(work: WithConfirmationProps['work']) {
  const [isConfirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const attempt = async (step: () => Promise<unknown>) => {
    if (work.isPending || isConfirming) return;
    setConfirming(true);
    setFailure(null);
    try {
      await step();
    } catch (error) {
      setFailure(asApiError(error));
    }
    setConfirming(false);
  };
  const dismiss = () => {
    setFailure(null);
    work.reset();
  };
  return { attempt, isConfirming, failure: failure ?? work.error, dismiss };
}
