import { type ReactNode, useEffect, useRef, useState } from 'react';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Form } from '../../../kit/web/forms/fields.tsx';
import { PasswordField } from '../../../kit/web/forms/password-field.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import { refusalText } from '../account-form.ts';

interface WithPasswordProps {
  /** Explains the action. */
  readonly children: ReactNode;
  /** The labels of the button that opens the prompt, and of the one that submits it. */
  readonly opens: string;
  readonly does: string;
  /** The action deletes something. The cancel button is then 'Keep'. */
  readonly danger?: boolean;
  readonly icon?: ReactNode;
  /** A button for an alternative to the password. */
  readonly instead?: ReactNode;
  /** Asks before the action, and resolves to whether it may go on. */
  readonly asks?: () => Promise<boolean>;
  /** A mutation that takes the password. The form closes when it returns something other than null. */
  readonly work: {
    readonly mutate: (password: string, options: { onSuccess: (answer: unknown) => void }) => void;
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly reset: () => void;
  };
}

/** A button for an action that asks for the password first. */
export function WithPassword({ children, opens, does, danger = false, icon, instead, asks, work }: WithPasswordProps) {
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const isAsking = useRef(false);
  useEffect(() => {
    if (isOpen) field.current?.focus();
    else if (wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    setPassword('');
    work.reset();
  };
  const submit = async () => {
    if (work.isPending || isAsking.current) return;
    isAsking.current = true;
    const isSure = (await asks?.()) ?? true;
    isAsking.current = false;
    if (isSure) work.mutate(password, { onSuccess: (answer) => answer !== null && close() });
  };
  if (!isOpen) {
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
  return (
    <Form
      sending={work.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children && <p>{children}</p>}
      <Banner onDismiss={work.reset}>{work.error && refusalText(asApiError(work.error))}</Banner>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        ref={field}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Actions>
        <Button
          type="submit"
          variant={danger ? 'danger' : 'secondary'}
          busy={work.isPending}
          disabled={password === ''}
        >
          {does}
        </Button>
        {instead}
        <Button variant={danger ? 'secondary' : 'text'} onClick={close}>
          {danger ? 'Keep' : 'Cancel'}
        </Button>
      </Actions>
    </Form>
  );
}
