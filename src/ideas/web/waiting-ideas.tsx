import { useUser } from '../../auth/web/session.ts';
import { ButtonLink } from '../../base/web/ui/button.tsx';
import { Waiting } from '../../base/web/waiting.tsx';
import { paths } from '../../paths.ts';

/** The ideas added offline; a date can be planned from each already, and is sent after it. */
export function WaitingIdeas() {
  return (
    <Waiting
      owner={useUser().id}
      name="POST /api/DateIdeas"
      ways={({ id }) => <ButtonLink href={paths.planDate(id)}>Plan This Date</ButtonLink>}
    />
  );
}
