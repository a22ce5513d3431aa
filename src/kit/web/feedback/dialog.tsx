import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { cx } from '../cx.ts';
import css from './dialog.module.css';
import { NotifyProvider } from './notices.tsx';

/** Creates the ref of a `Dialog`, with which its content closes it. Closing it by hand returns the focus. */
export function useDialog(): RefObject<HTMLDialogElement | null> {
  return useRef<HTMLDialogElement>(null);
}

interface DialogBase {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly role?: 'alertdialog' | undefined;
  readonly className?: string | undefined;
  /**
   * Runs once the dialog is closed: by its buttons or by Escape. Always close it before you remove it, so that the browser
   * returns the focus.
   */
  readonly onClose: (dialog: HTMLDialogElement) => void;
  readonly children: ReactNode;
}

export interface DialogProps extends DialogBase {
  readonly 'aria-label'?: string;
  readonly 'aria-labelledby'?: string;
  readonly 'aria-describedby'?: string | undefined;
}

/**
 * A modal `dialog`, open as long as it is rendered. Its element with `data-first` has the focus at first, if there is one.
 * Notices show inside it: outside of a modal dialog they can be neither heard nor pressed.
 */
export function Dialog({ ref, onClose, children, ...props }: DialogProps) {
  useEffect(() => {
    if (!ref.current?.open) ref.current?.showModal();
    ref.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, [ref]);
  // In React, the end of a dialog inside this one bubbles up to it.
  const close = ({ target, currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
    if (target === currentTarget) onClose(currentTarget);
  };
  return (
    <dialog ref={ref} onClose={close} {...props}>
      <NotifyProvider>{children}</NotifyProvider>
    </dialog>
  );
}

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
