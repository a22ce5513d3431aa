import { useUser } from '../../auth/web/session/use-session.ts';
import { Waiting } from '../../kit/web/feedback/waiting.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { paths } from '../../paths.ts';

/** The ideas added offline; a date can be planned from each already, and is sent after it. */
export function QueuedIdeas() {
  return (
    <Waiting
      owner={useUser().id}
      name="POST /api/DateIdeas"
      ways={({ id }) => <ButtonLink href={paths.planDate(id)}>Plan This Date</ButtonLink>}
    />
  );
}
