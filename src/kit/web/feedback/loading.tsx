import { cx } from '../cx.ts';
import css from './loading.module.css';

export interface LoadingProps {
  /** What this screen says: 'Loading our love story...'. */
  message: string;
  size?: 'small' | 'medium' | 'large';
}

/** A loading indicator, as `role=status`. */
export function Loading({ message, size = 'medium' }: LoadingProps) {
  return (
    <div className={cx(css.loading, size !== 'medium' && css[size])} role="status">
      <span>{message}</span>
    </div>
  );
}
