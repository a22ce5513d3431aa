import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { longDate } from '../../base/time.ts';
import { asApiError } from '../../base/web/async.tsx';
import { deviceZone } from '../../base/web/now.ts';
import { Actions } from '../../base/web/ui/actions.tsx';
import { Banner } from '../../base/web/ui/banner.tsx';
import { Button } from '../../base/web/ui/button.tsx';
import { Form } from '../../base/web/ui/fields.tsx';
import { useNotify } from '../../base/web/ui/notices.tsx';
import { PasswordField } from '../../base/web/ui/password-field.tsx';
import type { Deletion } from '../contract.ts';
import { refusalText } from './account-form.ts';
import { authApi, sessionKeys, useDeletion } from './queries.ts';
import { useUser } from './session.ts';
import { signOut } from './who.ts';

/** Leaving, and deleting everything: by both at once, or by one after thirty days that the other sees. */
export function Leaving() {
  const { partner } = useUser();
  return (
    <>
      {partner && <Leave name={partner.displayName} />}
      <Delete />
    </>
  );
}

function Leave({ name }: { name: string }) {
  const leave = useMutation({
    mutationFn: (currentPassword: string) => authApi('POST /api/auth/leave', { body: { currentPassword } }),
    onSuccess: signOut,
  });
  return (
    <WithPassword opens="Leave our space" does="Leave" work={leave}>
      Your account ends, and {name} keeps everything. If you want to take it along, press 'Export' first.
    </WithPassword>
  );
}

function Delete() {
  const { data: wish } = useDeletion();
  const { id, partner } = useUser();
  const queries = useQueryClient();
  const ask = useMutation({
    mutationFn: (currentPassword: string) => authApi('POST /api/couple/deletion', { body: { currentPassword } }),
    onSuccess: (left) => (left === null ? signOut() : queries.setQueryData(sessionKeys.deletion, left)),
  });
  if (wish && wish.askedBy.id === id) return <Asked wish={wish} />;
  if (wish) {
    return (
      <WithPassword opens="Agree to delete" does="Delete everything" work={ask}>
        {wish.askedBy.displayName} has asked to delete our space. It will be gone on {dayOf(wish)}; if you agree, at
        once, with every photograph. Press 'Export' first to keep what is ours.
      </WithPassword>
    );
  }
  return (
    <WithPassword opens="Delete our space" does="Delete in 30 days" work={ask}>
      Everything goes, with every photograph: 30 days after you ask for it
      {partner === null ? '' : `, and ${partner.displayName} is told; at once if ${partner.displayName} agrees`}. Until
      then you can take it back.
    </WithPassword>
  );
}

/** What this user has asked for, and can take back. */
function Asked({ wish }: { wish: Deletion }) {
  const queries = useQueryClient();
  const notify = useNotify();
  const takeBack = useMutation({
    mutationFn: () => authApi('DELETE /api/couple/deletion'),
    onSuccess: () => notify.status('Our space stays.'),
    onError: () => notify.alert('Failed to take it back. Please try again.'),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionKeys.deletion }),
  });
  return (
    <>
      <p>You have asked to delete our space. It will be gone on {dayOf(wish)}, with every photograph.</p>
      <div>
        <Button variant="primary" busy={takeBack.isPending} onClick={() => takeBack.mutate()}>
          Take it back
        </Button>
      </div>
    </>
  );
}

function dayOf({ dueAt }: Deletion): string {
  return longDate(Date.parse(dueAt), deviceZone());
}

interface WithPasswordProps {
  /** What it means. */
  readonly children: ReactNode;
  /** The button that asks for the password, and the one that then does it. */
  readonly opens: string;
  readonly does: string;
  readonly work: {
    readonly mutate: (password: string) => void;
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly reset: () => void;
  };
}

/** Something that nobody does in passing: it asks for the password first. */
function WithPassword({ children, opens, does, work }: WithPasswordProps) {
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    setPassword('');
    work.reset();
  };
  if (!isOpen) {
    return (
      <>
        <p>{children}</p>
        <div>
          <Button onClick={() => setOpen(true)}>{opens}</Button>
        </div>
      </>
    );
  }
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (!work.isPending) work.mutate(password);
      }}
    >
      <p>{children}</p>
      <Banner onDismiss={work.reset}>{work.error && refusalText(asApiError(work.error))}</Banner>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        ref={field}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Actions>
        <Button type="submit" variant="danger" busy={work.isPending} disabled={password === ''}>
          {does}
        </Button>
        <Button onClick={close}>Keep</Button>
      </Actions>
    </Form>
  );
}
