import type { ReactNode } from 'react';
import { ButtonLink } from '../forms/button.tsx';
import { Page } from '../layout/page.tsx';
import { ErrorCard } from './error-card.tsx';

export interface FailedPageProps {
  /** What failed, in one sentence. */
  readonly children: string;
  /** Shows the button 'Try Again'. */
  readonly onRetry?: (() => void) | undefined;
  /** The link that leaves the page. */
  readonly back: { readonly href: string; readonly label: string };
  /** Shown below the message. */
  readonly more?: ReactNode;
}

/** A whole page that could not be loaded. */
export function FailedPage({ children, onRetry, back, more }: FailedPageProps) {
  return (
    <Page>
      <ErrorCard level={1} onRetry={onRetry} actions={<ButtonLink href={back.href}>{back.label}</ButtonLink>}>
        {children}
      </ErrorCard>
      {more}
    </Page>
  );
}
