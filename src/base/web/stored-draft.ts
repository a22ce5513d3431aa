import { HOUR } from '../time.ts';
import { DRAFT_KEY, type Draft } from './draft-store.ts';

/*
 * Reading drafts. The start of the page only writes them.
 */

const MAX_AGE_MS = HOUR;

/** Returns this user's draft for this page, or null. */
export function findDraft(owner: string): Draft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? 'null') as Draft | null;
    const isValid =
      draft?.owner === owner && draft.path === location.pathname && Date.now() - draft.keptAt < MAX_AGE_MS;
    return isValid ? draft : null;
  } catch {
    return null;
  }
}

/** Deletes the draft. */
export function dropDraft(): void {
  try {
    sessionStorage.removeItem(DRAFT_KEY);
  } catch {
    // Without storage there is no draft.
  }
}
