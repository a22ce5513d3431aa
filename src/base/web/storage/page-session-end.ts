/** Whether this page's session has ended. What arrives later isn't stored, and no database is opened any more. */
let hasEnded = false;

/** Whether this page's session has ended. */
export function hasPageSessionEnded(): boolean {
  return hasEnded;
}

/** Records that this page's session has ended, for as long as the page lives. */
export function endPageSession(): void {
  hasEnded = true;
}
