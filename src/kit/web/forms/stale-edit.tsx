import { type ReactNode, useEffect, useRef } from 'react';
import { CoupleText } from '../couple-text.tsx';
import { Badge } from '../feedback/badge.tsx';
import { Actions } from '../layout/actions.tsx';
import { Facts } from '../layout/facts.tsx';
import { SectionHead } from '../layout/section.tsx';
import { Button } from './button.tsx';
import css from './stale-edit.module.css';

/** A field of the server's current version. `changed`: it differs from the version the form opened with. */
export interface Difference {
  readonly label: string;
  readonly value: ReactNode;
  readonly changed: boolean;
}

interface StaleEditProps<T> {
  /** What `useVersionedEdit` returns. */
  readonly edit: {
    readonly base: T;
    readonly theirs: T | null;
    readonly isSending: boolean;
    /** Saves the form over the partner's version. */
    readonly overwrite: () => void;
    /** Copies the partner's version into the form. */
    readonly takeTheirs: () => void;
  };
  readonly differences: (theirs: T, base: T) => readonly Difference[];
}

/**
 * The choice after a stale edit (412): shows the version that the partner has saved beside the form, which keeps what
 * was typed, and asks which one to keep (ideas.form.14).
 */
export function StaleEdit<T>({ edit, differences }: StaleEditProps<T>) {
  const { base, theirs, isSending, overwrite, takeTheirs } = edit;
  if (theirs === null) return null;
  return (
    <Choice theirs={differences(theirs, base)}>
      <Button variant="primary" busy={isSending} onClick={overwrite}>
        Overwrite
      </Button>
      <Button disabled={isSending} onClick={takeTheirs}>
        Take theirs
      </Button>
    </Choice>
  );
}

function Choice({ theirs, children }: { theirs: readonly Difference[]; children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // The submit button may be far below, so move the focus to the choice.
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section ref={box} className={css.stale} tabIndex={-1} aria-label="Their version" data-hue="today">
      <SectionHead title="Their version" />
      <p role="alert">
        This was changed while you were writing. Nothing is lost: your version is in the form, theirs is here. Choose
        which one to keep.
      </p>
      <Facts
        items={theirs.map(({ label, value, changed }) => ({
          label,
          value: (
            <span className={css.value}>
              <span>{shownValue(value)}</span> {changed && <Badge hue="today">Changed</Badge>}
            </span>
          ),
        }))}
      />
      <Actions>{children}</Actions>
    </section>
  );
}

function shownValue(value: ReactNode): ReactNode {
  if (value === '' || value === null) return 'None';
  return typeof value === 'string' ? <CoupleText>{value}</CoupleText> : value;
}
