import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './icon-button.module.css';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** Its accessible name, which is also its tooltip ('Delete', 'View: the whole beach'). */
  label: string;
  icon: ReactNode;
}

/** A button that is only a drawing, 44 px each way. */
export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} className={cx(css.button, className)} aria-label={label}>
      {icon}
    </button>
  );
}
