import { useMutation, useQueryClient } from '@tanstack/react-query';
import { longDate } from '../../../base/date-formats.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import type { GivenConfirmation } from '../../confirmation.ts';
import type { Deletion } from '../../contract.ts';
import { authApi, sessionKeys, useDeletion } from '../queries.ts';
import { signOut } from '../session/end-session.ts';
import { useAskBeforeLosing } from '../session/use-ask-before-losing.ts';
import { useUser } from '../session/use-session.ts';
import { WithConfirmation } from '../settings/with-confirmation.tsx';
import { saveFarewell } from './farewell.ts';

const LEAVE = {
  sure: 'Are you sure you want to leave our space?',
  why: 'Leaving clears this device, so this would be lost.',
  verb: 'Leave',
};

const DELETE = {
  sure: 'Are you sure you want to delete our space?',
  why: 'Once our space is deleted, this is lost.',
  verb: 'Delete',
};

/** Settings to leave the couple, and to delete the space: at once if both agree, else 30 days after one asks. */
export function LeaveOrDelete() {
  const { partner } = useUser();
  return (
    <>
      {partner && <LeaveCouple name={partner.displayName} />}
      <DeleteSpace />
    </>
  );
}

function LeaveCouple({ name }: { name: string }) {
  const leaveCouple = useMutation({
    mutationFn: (body: GivenConfirmation) => authApi('POST /api/auth/leave', { body }),
    onSuccess: () => signOut(),
  });
  const askBeforeLeaving = useAskBeforeLosing(LEAVE);
  return (
    <WithConfirmation danger opens="Leave our space" does="Leave" asks={askBeforeLeaving} work={leaveCouple}>
      Your account is deleted, and <bdi>{name}</bdi> keeps what we made together. Your hearts, and notes that{' '}
      <bdi>{name}</bdi> has not opened, are deleted too. To take a copy with you, press 'Export' first.
    </WithConfirmation>
  );
}

function DeleteSpace() {
  const { data: request } = useDeletion();
  const { id, partner } = useUser();
  const queryClient = useQueryClient();
  const ask = useMutation({
    mutationFn: (body: GivenConfirmation) => authApi('POST /api/couple/deletion', { body }),
    onSuccess: (remaining) => {
      if (remaining !== null) return queryClient.setQueryData(sessionKeys.deletion, remaining);
      saveFarewell('deleted');
      return signOut();
    },
  });
  const askBeforeDeleting = useAskBeforeLosing(DELETE);
  if (request && request.askedBy.id === id) return <PendingDeletion request={request} />;
  if (request) {
    return (
      <WithConfirmation danger opens="Agree to delete" does="Delete everything" asks={askBeforeDeleting} work={ask}>
        <bdi>{request.askedBy.displayName}</bdi> has asked to delete our space. It will be deleted on {dueDay(request)},
        with every photograph, or at once if you agree. Press 'Export' first to keep a copy.
      </WithConfirmation>
    );
  }
  return (
    <WithConfirmation danger opens="Delete our space" does="Delete in 30 days" asks={askBeforeDeleting} work={ask}>
      This deletes everything, including every photograph, after 30 days
      {partner !== null && (
        <>
          , or at once if <bdi>{partner.displayName}</bdi> agrees. <bdi>{partner.displayName}</bdi> will see a notice
        </>
      )}
      . Until then you can change your mind.
    </WithConfirmation>
  );
}

/** The deletion that this user has asked for, with a button to withdraw it. */
function PendingDeletion({ request }: { request: Deletion }) {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const withdraw = useMutation({
    mutationFn: () => authApi('DELETE /api/couple/deletion'),
    onSuccess: () => notify.status('Our space stays.'),
    onError: () => notify.alert('Failed to take it back. Please try again.'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionKeys.deletion }),
  });
  return (
    <>
      <p>You have asked to delete our space. It will be gone on {dueDay(request)}, with every photograph.</p>
      <div>
        <Button variant="primary" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
          Take it back
        </Button>
      </div>
    </>
  );
}

function dueDay({ dueAt }: Deletion): string {
  return longDate(Date.parse(dueAt), deviceZone());
}
