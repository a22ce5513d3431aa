import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { DrawnSnapped } from '../album/drawings.tsx';
import { Button } from '../forms/button.tsx';
import { Actions } from '../layout/actions.tsx';
import css from './empty-state.module.css';

export interface EmptyStateProps {
  /** One of our line drawings, such as `DrawnTicket`. */
  drawing?: ReactNode;
  title?: string | undefined;
  level?: 1 | 2 | 3;
  /** One sentence. */
  children: ReactNode;
  /** One or two buttons. */
  actions?: ReactNode;
  role?: 'alert' | undefined;
}

/** The empty state of a list: a drawing, one sentence, one action. */
export function EmptyState({ drawing, title, level = 2, children, actions, role }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={css.empty} role={role} data-ui="empty">
      {drawing}
      {title && <Heading className={css.title}>{title}</Heading>}
      <p className={css.words}>{children}</p>
      {actions && <Actions center>{actions}</Actions>}
    </div>
  );
}

export interface ErrorCardProps {
  /** Defaults to 'Oops!'. `null` for no title. */
  title?: string | null;
  level?: 1 | 2 | 3;
  /** What failed, in one sentence. */
  children: ReactNode;
  /** Shows the button 'Try Again'. */
  onRetry?: (() => void) | undefined;
  /** More buttons, such as 'Go Back'. */
  actions?: ReactNode;
}

/** The error state of a failed load: 'Oops!', the message, and 'Try Again'. */
export function ErrorCard({ title = 'Oops!', level = 2, children, onRetry, actions }: ErrorCardProps) {
  return (
    <EmptyState
      role="alert"
      drawing={<DrawnSnapped />}
      title={title ?? undefined}
      level={level}
      actions={
        (onRetry || actions) && (
          <>
            {onRetry && (
              <Button variant="primary" icon={<RotateCw />} onClick={onRetry}>
                Try Again
              </Button>
            )}
            {actions}
          </>
        )
      }
    >
      {children}
    </EmptyState>
  );
}
