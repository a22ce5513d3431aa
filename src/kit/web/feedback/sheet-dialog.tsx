import { type ReactNode, useId } from 'react';
import { cx } from '../cx.ts';
import css from './dialog.module.css';
import { Dialog, type DialogBase } from './dialog.tsx';

export interface SheetDialogProps extends DialogBase {
  readonly title: string;
  /** A paragraph under the title, which describes the dialog. */
  readonly detail?: ReactNode;
}

/** A dialog on a sheet, at the bottom edge on phones: a title, its content, and `DialogActions`. */
export function SheetDialog({ title, detail, className, children, ...props }: SheetDialogProps) {
  const id = useId();
  return (
    <Dialog
      className={cx(css.dialog, className)}
      aria-labelledby={`${id}-title`}
      aria-describedby={detail ? `${id}-detail` : undefined}
      {...props}
    >
      <h2 className={css.question} id={`${id}-title`}>
        {title}
      </h2>
      {detail && (
        <p className={css.detail} id={`${id}-detail`}>
          {detail}
        </p>
      )}
      {children}
    </Dialog>
  );
}

/** The buttons of a `SheetDialog`: the safe one first. */
export function DialogActions({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <div className={cx(css.actions, className)}>{children}</div>;
}
