/** Moves the focus to the content of the screen. For an action after which its focused button is gone. */
export function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
}
