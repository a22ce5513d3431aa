import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { avoidOverlap } from './avoid-overlap.ts';
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

/** The floating action of a narrow screen. It moves off controls that it would cover. Give the large button that it replaces the class `desk-only`. */
export function FloatingButton({ label, href, onClick, disabled, open, icon = <Plus /> }: FloatingButtonProps) {
  const name = open ? label : <span className="visually-hidden">{label}</span>;
  if (href !== undefined && !disabled) {
    return (
      <Link ref={avoidOverlap} href={href} className={css.float} data-ui="float">
        {icon}
        {name}
      </Link>
    );
  }
  return (
    <button
      ref={avoidOverlap}
      type="button"
      className={css.float}
      data-ui="float"
      disabled={disabled}
      onClick={onClick}
    >
      {icon}
      {name}
    </button>
  );
}
