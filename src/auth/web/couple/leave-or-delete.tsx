import { useMutation, useQueryClient } from '@tanstack/react-query';
import { longDate } from '../../../base/time.ts';
import { deviceZone } from '../../../base/web/now.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import type { Deletion } from '../../contract.ts';
import { authApi, sessionKeys, useDeletion } from '../queries.ts';
import { signOut } from '../session/session.ts';
import { useUser } from '../session/use-session.ts';
import { WithPassword } from '../settings/password-prompt.tsx';

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
    <WithPassword danger opens="Leave our space" does="Leave" work={leave}>
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
      <WithPassword danger opens="Agree to delete" does="Delete everything" work={ask}>
        {wish.askedBy.displayName} has asked to delete our space. It will be gone on {dayOf(wish)}; if you agree, at
        once, with every photograph. Press 'Export' first to keep what is ours.
      </WithPassword>
    );
  }
  return (
    <WithPassword danger opens="Delete our space" does="Delete in 30 days" work={ask}>
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
