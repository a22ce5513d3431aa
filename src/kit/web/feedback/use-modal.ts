import { type RefObject, useEffect, useRef } from 'react';

/**
 * Opens a `dialog` as a modal when it appears, and focuses its element with `data-first`, if there is one. Always close
 * the dialog before unmounting it, so that the browser returns the focus.
 * @returns the ref to give to the `dialog`
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  return dialog;
}
