/** Whether the server answered when this page last asked for its session. */
let hasAnswered = true;

/** Whether the server can be reached, as far as this page knows. */
export function isReachable(): boolean {
  return navigator.onLine && hasAnswered;
}

/** Records whether the server has answered. */
export function setReachable(answered: boolean): void {
  hasAnswered = answered;
}
