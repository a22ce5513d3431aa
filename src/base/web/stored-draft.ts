import { DAY } from '../time.ts';
import { DRAFT_KEY, type Draft, putDraft } from './draft-store.ts';

/*
 * Reading drafts. The start of the page only writes them.
 */

/** As long as the device keeps what it last saw: a phone may discard a page, and show it again, after days. */
const MAX_AGE_MS = 30 * DAY;

/** Returns this user's draft for the form at a path, this page's by default, or null. */
export function findDraft(owner: string, path?: string): Draft | null {
  // On the server there is neither a draft nor a location.
  const draft = readDraft();
  const isValid =
    draft?.owner === owner && draft.path === (path ?? location.pathname) && Date.now() - draft.keptAt < MAX_AGE_MS;
  return isValid ? draft : null;
}

/** Moves this user's draft, if there is one, to the form at another path. */
export function moveDraft(owner: string, from: string, to: string): void {
  const draft = findDraft(owner, from);
  if (draft !== null) putDraft({ ...draft, path: to });
}

/** Deletes the draft of the form at a path. Another form's draft stays. */
export function dropDraft(path: string): void {
  if (readDraft()?.path === path) sessionStorage.removeItem(DRAFT_KEY);
}

/** Deletes the draft that is from a call of the outbox, because it was sent again or discarded there. */
export function dropDraftOf(call: string): void {
  if (readDraft()?.call === call) sessionStorage.removeItem(DRAFT_KEY);
}

function readDraft(): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? 'null') as Draft | null;
  } catch {
    // Without storage there is no draft.
    return null;
  }
}
