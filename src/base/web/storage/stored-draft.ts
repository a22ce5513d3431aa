import type { KeptCall } from './outbox-database.ts';
import { changeWords, dropWords, findWords, keepWords } from './words.ts';

/** A half-filled form, stored on this device under its path. */
export interface Draft {
  /** The fields. */
  readonly values: object;
  /** The version that was edited, so that a concurrent change is still detected. */
  readonly etag: string | null;
  /** The refused call of the outbox that it is from. The outbox keeps that until a form has restored the draft. */
  readonly call?: string;
}

/** Stores a draft for the form at a path. Without storage there are no drafts. */
export async function putDraft(owner: string, path: string, draft: Draft): Promise<void> {
  await keepWords({ owner, form: path, typed: draft }).catch(() => undefined);
}

/** Moves this user's draft, if there is one, to the form at another path. */
export async function moveDraft(owner: string, from: string, to: string): Promise<void> {
  const draft = await findWords<Draft>(owner, from);
  if (draft === null) return;
  await putDraft(owner, to, draft);
  await dropWords(owner, from);
}

/** Deletes the draft that is from a call of the outbox, because it was sent again or discarded there. */
export function dropDraftOf({ owner, path, id }: KeptCall): Promise<void> {
  return changeWords<Draft>(owner, path, (draft) => (draft.call === id ? null : draft));
}
