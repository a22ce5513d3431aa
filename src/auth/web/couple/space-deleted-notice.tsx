import { useState } from 'react';
import { useSession } from '../session/use-session.ts';
import { type Farewell, takeFarewell } from './farewell.ts';
import css from './pending-deletion-notice.module.css';

const COPY = 'A copy that you made with ‘Export’ is where your browser saved it.';
const WORDS: Readonly<Record<Farewell, string>> = {
  deleted: `Our space has been deleted, because we both asked for it. ${COPY}`,
  asked: `You are signed out. If we have both asked to delete our space, or its thirty days are over, it is gone. ${COPY}`,
};

/** Says on the page that follows a deleted space why nobody can sign in any more. */
export function SpaceDeletedNotice() {
  // Taken once: the page whose session ends leaves it for the next one.
  const [farewell] = useState(takeFarewell);
  const isSignedIn = useSession().is === 'in';
  if (farewell === null || isSignedIn) return null;
  return (
    <p className={css.notice} role="status">
      {WORDS[farewell]}
    </p>
  );
}
