import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import css from './floating-button.module.css';

export interface FloatingButtonProps {
  /** The name of the large button that it replaces: 'Add New Idea', 'Plan New Date', 'Upload Memory'. */
  label: string;
  /** The link's target. Without it, the button calls `onClick`. */
  href?: string | undefined;
  onClick?: (() => void) | undefined;
  disabled?: boolean | undefined;
  /** Shows the label beside the icon. */
  open?: boolean | undefined;
  /** Defaults to a plus. */
  icon?: ReactNode;
}

/**
 * The floating action of a narrow screen, on a strip of paper at the bottom edge, so that it covers no word and no
 * control. Give the large button that it replaces the class `desk-only`.
 */
export function FloatingButton({ label, href, onClick, disabled, open, icon = <Plus /> }: FloatingButtonProps) {
  const name = open ? label : <span className="visually-hidden">{label}</span>;
  return (
    <div className={css.strip} data-ui="float">
      {href !== undefined && !disabled ? (
        <Link href={href} className={css.float}>
          {icon}
          {name}
        </Link>
      ) : (
        <button type="button" className={css.float} disabled={disabled} onClick={onClick}>
          {icon}
          {name}
        </button>
      )}
    </div>
  );
}
