import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useRef } from 'react';
import { NotifyProvider } from './notices.tsx';

/** Creates the ref of a `Dialog`, with which its content closes it. Closing it by hand returns the focus. */
export function useDialog(): RefObject<HTMLDialogElement | null> {
  return useRef<HTMLDialogElement>(null);
}

export interface DialogBase {
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
