import { CircleAlert, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../cx.ts';
import { IconButton } from '../forms/icon-button.tsx';
import { Actions } from '../layout/actions.tsx';
import css from './banner.module.css';

export interface BannerProps {
  /** The spec's text. Nothing is shown while it is empty, so that `<Banner>{error}</Banner>` may always stand. */
  children: ReactNode;
  /** Puts it away; every alert can be (contract 5). */
  onDismiss: () => void;
  /** Under it, what is safe: 'What you wrote is still here.' */
  more?: ReactNode;
  actions?: ReactNode;
  className?: string | undefined;
}

/** A form's submit error, or an alert that belongs to its place: a `role=alert` that can be dismissed. */
export function Banner({ children, onDismiss, more, actions, className }: BannerProps) {
  const box = useRef<HTMLDivElement>(null);
  // The button that failed may be far below, at a phone's bottom edge.
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
      {actions && (
        <div className={css.actions}>
          <Actions>{actions}</Actions>
        </div>
      )}
    </div>
  );
}
