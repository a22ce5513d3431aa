import type { User } from '../../../auth/contract.ts';
import { PendingDeletionNotice } from '../../../auth/web/couple/pending-deletion-notice.tsx';
import { PasswordLinkNotice } from '../../../auth/web/recovery/password-link-notice.tsx';
import { UnusedLinkNotice } from '../../../auth/web/recovery/unused-link-notice.tsx';
import { Celebration } from '../../../stats/web/celebration.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { useSearchKeys } from './use-search-keys.ts';

/** The notices of every screen of a signed-in user: the connection, the account, and celebrations. And the search's keys. */
export function SignedInNotices({ user }: { user: User }) {
  useSearchKeys();
  return (
    <>
      <ConnectionStatus user={user} />
      <UnusedLinkNotice user={user} />
      {user.partner && <PasswordLinkNotice user={user} />}
      <PendingDeletionNotice user={user} />
      <Celebration />
    </>
  );
}
