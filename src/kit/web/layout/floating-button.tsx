import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import css from './floating-button.module.css';
import { usePageMark } from './use-page-mark.ts';

export interface FloatingButtonProps {
  /** The name of the large button that it replaces: 'Add New Idea', 'Plan New Date', 'Upload Memory'. */
  label: string;
  href: string;
  disabled?: boolean | undefined;
}

/**
 * The floating action of a narrow screen, on a strip of paper at the bottom edge, so that it covers no word and no
 * control. Give the large button that it replaces the class `desk-only`.
 */
export function FloatingButton({ label, href, disabled }: FloatingButtonProps) {
  usePageMark('float');
  const name = <span className="visually-hidden">{label}</span>;
  return (
    <div className={css.strip}>
      {disabled ? (
        <button type="button" className={css.float} disabled>
          <Plus />
          {name}
        </button>
      ) : (
        <Link href={href} className={css.float}>
          <Plus />
          {name}
        </Link>
      )}
    </div>
  );
}
