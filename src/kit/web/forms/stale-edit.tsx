import { type ReactNode, useEffect, useRef } from 'react';
import { Badge } from '../feedback/badge.tsx';
import { Actions } from '../layout/actions.tsx';
import { Facts } from '../layout/facts.tsx';
import { SectionHead } from '../layout/section.tsx';
import { Button } from './button.tsx';
import css from './stale-edit.module.css';

export interface StaleEditProps {
  /** What stands on the server now, field by field; `changed` since the form was opened. */
  readonly theirs: readonly { readonly label: string; readonly value: ReactNode; readonly changed: boolean }[];
  /** Save ours all the same. */
  readonly onOverwrite: () => void;
  /** Put theirs into the form. */
  readonly onTakeTheirs: () => void;
  readonly busy: boolean;
}

/**
 * A stale edit (412): the version that the partner has saved meanwhile, to stand beside the form, which keeps what was
 * typed, and the choice between the two (contract 1, Editing by two people; contract 5).
 */
export function StaleEdit({ theirs, onOverwrite, onTakeTheirs, busy }: StaleEditProps) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button that was refused may be far below: the choice is where the eyes and the keyboard go next.
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section ref={box} className={css.stale} tabIndex={-1} aria-label="Their version" data-hue="today">
      <SectionHead title="Their version" />
      <p role="alert">
        This was changed while we were writing. Nothing is lost: ours stands in the form, theirs stands here, and one of
        them stays.
      </p>
      <Facts
        items={theirs.map(({ label, value, changed }) => ({
          label,
          value: (
            <span className={css.value}>
              <span>{value === '' || value === null ? 'None' : value}</span>{' '}
              {changed && <Badge hue="today">Changed</Badge>}
            </span>
          ),
        }))}
      />
      <Actions>
        <Button variant="primary" busy={busy} onClick={onOverwrite}>
          Overwrite
        </Button>
        <Button disabled={busy} onClick={onTakeTheirs}>
          Take theirs
        </Button>
      </Actions>
    </section>
  );
}
