import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../cx.ts';
import css from './icon-button.module.css';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** The accessible name and the tooltip ('Delete', 'View: the whole beach'). */
  label: string;
  icon: ReactNode;
}

/** A button of 44 × 44 px with only an icon. */
export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} className={cx(css.button, className)} aria-label={label}>
      {icon}
    </button>
  );
}
