import { type KeyboardEvent, type SyntheticEvent, use } from 'react';
import { Sending } from './form.tsx';

/**
 * The props that keep controls as they are while their form is sent, because a change would be lost. `control` is for the
 * control, `around` for an element around it. A `disabled` control would lose the focus, and flicker.
 */
export function useLockWhileSending() {
  return use(Sending) ? LOCKED : FREE;
}

const LOCKED = {
  control: { 'aria-disabled': true },
  // In the capture phase, because React takes a click on a checkbox for a change even if it is prevented later.
  around: { onClickCapture: ignore, onMouseDownCapture: ignore, onKeyDownCapture: ignoreKey },
} as const;
const FREE: Partial<typeof LOCKED> = {};

function ignore(event: SyntheticEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Lists change by the keyboard too. Tab, Escape, and the browser's shortcuts work as ever. */
function ignoreKey(event: KeyboardEvent): void {
  const isOwn = event.key !== 'Tab' && event.key !== 'Escape' && !event.ctrlKey && !event.metaKey;
  if (isOwn) ignore(event);
}
