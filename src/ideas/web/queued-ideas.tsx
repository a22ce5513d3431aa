import { useUser } from '../../auth/web/session/use-session.ts';
import { OutboxList } from '../../kit/web/feedback/outbox-list.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { paths } from '../../paths.ts';

const CREATES = ['POST /api/DateIdeas'] as const;

/** The ideas added offline. A date planned from one is sent after it. */
export function QueuedIdeas() {
  return (
    <OutboxList
      owner={useUser().id}
      names={CREATES}
      actions={({ id }) => <ButtonLink href={paths.planDate(id)}>Plan This Date</ButtonLink>}
    />
  );
}
