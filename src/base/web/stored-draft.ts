import { HOUR } from '../time.ts';
import { DRAFT_KEY, type Draft } from './draft-store.ts';

/*
 * Reading drafts. The start of the page only writes them.
 */

const MAX_AGE_MS = HOUR;

/** Returns this user's draft for this page, or null. */
export function findDraft(owner: string): Draft | null {
  const draft = readDraft();
  const isValid = draft?.owner === owner && draft.path === location.pathname && Date.now() - draft.keptAt < MAX_AGE_MS;
  return isValid ? draft : null;
}

/** Deletes the draft of the form at a path. Another form's draft stays. */
export function dropDraft(path: string): void {
  if (readDraft()?.path === path) sessionStorage.removeItem(DRAFT_KEY);
}

function readDraft(): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? 'null') as Draft | null;
  } catch {
    // Without storage there is no draft.
    return null;
  }
}
