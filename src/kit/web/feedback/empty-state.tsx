import type { ReactNode } from 'react';
import { Actions } from '../layout/actions.tsx';
import { usePageMark } from '../layout/use-page-mark.ts';
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
  usePageMark('empty');
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
