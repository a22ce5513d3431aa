import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { DrawnSnapped } from '../album/drawings.tsx';
import { Button } from '../forms/button.tsx';
import { EmptyState } from './empty-state.tsx';

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
