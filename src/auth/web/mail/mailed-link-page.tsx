import type { ReactNode } from 'react';
import { ButtonLink } from '../../../kit/web/forms/button.tsx';
import { Masthead } from '../../../kit/web/layout/masthead.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { paths } from '../../../paths.ts';
import { useSession } from '../session/use-session.ts';
import { Cover } from '../sign-in/cover.tsx';
import css from './mail.module.css';

interface MailedLinkPageProps {
  readonly heading: string;
  /** What the visitor may do or waits for, besides leaving the page. */
  readonly action?: ReactNode;
  /** What has happened. It is announced when it changes. */
  readonly children?: ReactNode;
}

/** The page of a link in a mail: its content, and the way into the app. It is for visitors and for signed-in users. */
export function MailedLinkPage({ heading, action, children }: MailedLinkPageProps) {
  const isSignedIn = useSession().is === 'in';
  const variant = action ? 'text' : 'primary';
  if (isSignedIn) {
    return (
      <Page>
        <Masthead title={heading} />
        <div className={css.content}>
          <div role="status">{children}</div>
          {action}
          <ButtonLink variant={variant} flush={variant === 'text'} href={paths.home}>
            Open our album
          </ButtonLink>
        </div>
      </Page>
    );
  }
  return (
    <Cover title="Our Love Story" subtitle="For two people, and nobody else.">
      <h2>{heading}</h2>
      <div role="status">{children}</div>
      {action}
      <ButtonLink variant={variant} wide href={paths.signIn}>
        Sign in
      </ButtonLink>
    </Cover>
  );
}

/** The page of a mailed link without its code: it was opened in another way, or loaded again. */
export function WithoutCode() {
  return (
    <MailedLinkPage heading="Please open the link again">
      <p>This page needs the link from our mail, with its whole address.</p>
    </MailedLinkPage>
  );
}
