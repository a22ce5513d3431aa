import { useState } from 'react';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import { focusMain } from '../../../kit/web/layout/focus-main.ts';
import type { User } from '../../contract.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { type CodeLink, unusedLink } from './unused-link.ts';
import css from './unused-link-notice.module.css';

const WORDS: Readonly<Record<CodeLink['kind'], string>> = {
  invitation:
    'This invitation is for a person who doesn’t have a space yet. You have one already. If it is for somebody else on this device, sign out first.',
  recovery: 'This link sets a new password for the person it was made for. To use it, sign out first.',
};

/** The notice for a signed-in user who opened an invitation or a link for a new password: nobody uses it signed in. */
export function UnusedLinkNotice({ user }: { user: User }) {
  const [link, setLink] = useState(unusedLink);
  const signOut = useSignOut(link?.path);
  if (link === null) return null;
  const stay = () => {
    setLink(null);
    focusMain();
  };
  return (
    <div className={css.notice} role="status">
      <p>
        You are signed in as <bdi>{user.displayName}</bdi>. {WORDS[link.kind]}
      </p>
      <Actions>
        <Button onClick={signOut}>Sign out and open it</Button>
        <Button variant="text" onClick={stay}>
          Stay signed in
        </Button>
      </Actions>
    </div>
  );
}
