import { FAREWELL } from '../../../base/web/storage/forget-device.ts';

/**
 * What the next page says about the space after the session of this one has ended. `asked`: its deletion was asked for, and
 * this page has not learned whether that is why.
 */
export type Farewell = 'deleted' | 'asked';

/** Saves a farewell for the next page. */
export function saveFarewell(farewell: Farewell): void {
  try {
    sessionStorage.setItem(FAREWELL, farewell);
  } catch {
    // Without storage, the next page says nothing.
  }
}

let taken: Farewell | null = null;

/** Takes the farewell of the page before. Only this page has it then: the next one says nothing. */
export function takeFarewell(): Farewell | null {
  try {
    const left = sessionStorage.getItem(FAREWELL);
    sessionStorage.removeItem(FAREWELL);
    if (left === 'deleted' || left === 'asked') taken = left;
  } catch {
    // Without storage, there is none.
  }
  return taken;
}

let expected: Farewell | null = null;

/** Records what this page knows of a deletion, in case its session ends. That the space is deleted stays true. */
export function expectFarewell(farewell: Farewell | null): void {
  if (expected !== 'deleted') expected = farewell;
}

/** Saves what this page knows of a deletion for the next page, when the session has ended and the device is cleared. */
export function saveExpectedFarewell(): void {
  if (expected !== null) saveFarewell(expected);
}
