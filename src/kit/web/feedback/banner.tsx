import { CircleAlert, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../cx.ts';
import { IconButton } from '../forms/icon-button.tsx';
import css from './banner.module.css';

export interface BannerProps {
  /** Renders nothing while empty, so that `<Banner>{error}</Banner>` needs no condition. */
  children: ReactNode;
  /** Dismisses it. Every alert can be dismissed. */
  onDismiss: () => void;
  /** A second line that reassures: 'What you wrote is still here.' */
  more?: ReactNode;
  className?: string | undefined;
}

/** An inline `role=alert` that can be dismissed, such as a form's submit error. */
export function Banner({ children, onDismiss, more, className }: BannerProps) {
  const box = useRef<HTMLDivElement>(null);
  // The submit button may be far below, at the bottom edge of a phone.
  useEffect(() => {
    if (children) box.current?.scrollIntoView({ block: 'nearest' });
  }, [children]);
  if (!children) return null;
  return (
    <div ref={box} className={cx(css.banner, className)} role="alert" data-hue="overdue">
      <CircleAlert />
      <p className={css.text}>
        {children}
        {more && <span className={css.more}>{more}</span>}
      </p>
      <IconButton label="Dismiss" icon={<X />} className={css.dismiss} onClick={onDismiss} />
    </div>
  );
}
