import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import css from './floating-button.module.css';
import { stepAside } from './step-aside.ts';

export interface FloatingButtonProps {
  /** Named as the large button it stands for: 'Add New Idea', 'Plan New Date', 'Upload Memory'. */
  label: string;
  /** Where it leads; without it, `onClick` is what it does. */
  href?: string | undefined;
  onClick?: (() => void) | undefined;
  disabled?: boolean | undefined;
  /** Show the words beside the drawing. */
  open?: boolean | undefined;
  /** A plus where none is given. */
  icon?: ReactNode;
}

/** The floating action of a narrow screen; it keeps clear of what can be pressed under it. Give the large one beside it the class `desk-only`. */
export function FloatingButton({ label, href, onClick, disabled, open, icon = <Plus /> }: FloatingButtonProps) {
  const name = open ? label : <span className="visually-hidden">{label}</span>;
  if (href !== undefined && !disabled) {
    return (
      <Link ref={stepAside} href={href} className={css.float} data-ui="float">
        {icon}
        {name}
      </Link>
    );
  }
  return (
    <button ref={stepAside} type="button" className={css.float} data-ui="float" disabled={disabled} onClick={onClick}>
      {icon}
      {name}
    </button>
  );
}
