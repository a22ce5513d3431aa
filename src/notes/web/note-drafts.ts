import type { DBSchema, IDBPObjectStore } from 'idb';
import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useRef, useState } from 'react';
import { uuidv7 } from 'uuidv7';
import { cleanText } from '../../base/text.ts';
import { deviceDatabase, within } from '../../base/web/device-database.ts';
import { NOTE_DRAFTS } from '../../base/web/note-drafts.ts';

/** What a user has typed into a note that is not sealed yet, or not with these words. */
export interface NoteDraft {
  readonly text: string;
  readonly hearts: number | null;
}

/** A draft as this device stores it: one for each form that it is typed into, so that no window replaces another one's. */
export interface StoredDraft extends NoteDraft {
  readonly owner: string;
  /** The date's id, a space, and the form's id; of drafts that older versions stored, the date's id alone. */
  readonly dateId: string;
  /** When it was typed, in milliseconds. Older versions did not store it. */
  readonly typedAt?: number;
}

type DraftKey = Pick<StoredDraft, 'owner' | 'dateId'>;

interface Schema extends DBSchema {
  drafts: { key: [owner: string, dateId: string]; value: StoredDraft };
}

const open = deviceDatabase<Schema>(NOTE_DRAFTS, 1, (db) => {
  db.createObjectStore('drafts', { keyPath: ['owner', 'dateId'] });
});

/**
 * Returns a user's drafts about a date, the newest first, and deletes those of other users of this device: they are not
 * this user's to read.
 */
async function findDrafts(owner: string, dateId: string): Promise<StoredDraft[]> {
  const db = await open();
  for (const key of await db.getAllKeys('drafts')) if (key[0] !== owner) await db.delete('drafts', key);
  const all = await db.getAll('drafts');
  return all
    .filter((draft) => draft.dateId.split(' ', 1)[0] === dateId)
    .sort((a, b) => (b.typedAt ?? 0) - (a.typedAt ?? 0));
}

/**
 * Stores a form's draft; null deletes it.
 * @param continued the draft with which the form began: what is typed replaces it, unless another form goes on with it
 */
async function saveDraft(key: DraftKey, draft: NoteDraft | null, continued: StoredDraft | null): Promise<void> {
  const { store, done } = (await open()).transaction('drafts', 'readwrite');
  if (continued) await dropIfUnchanged(store, continued);
  if (draft === null) await store.delete([key.owner, key.dateId]);
  else await store.put({ ...draft, ...key, typedAt: Date.now() });
  await done;
}

/** Deletes a draft, unless more was typed since it was read. */
async function discardDraft(draft: StoredDraft): Promise<void> {
  const { store, done } = (await open()).transaction('drafts', 'readwrite');
  await dropIfUnchanged(store, draft);
  await done;
}

async function dropIfUnchanged(
  store: IDBPObjectStore<Schema, ['drafts'], 'drafts', 'readwrite'>,
  draft: StoredDraft,
): Promise<void> {
  const key: [string, string] = [draft.owner, draft.dateId];
  if (isUnchanged(await store.get(key), draft)) await store.delete(key);
}

function isUnchanged(now: StoredDraft | undefined, before: StoredDraft | null): boolean {
  return now?.dateId === before?.dateId && now?.typedAt === before?.typedAt && now?.text === before?.text;
}

function hasWords({ text }: NoteDraft): boolean {
  return cleanText(text) !== '';
}

/**
 * How many drafts with words a user has on this device, which signing out deletes.
 * @returns null if the database does not open in time. A browser that stores nothing has none.
 */
export async function countNoteDrafts(owner: string): Promise<number | null> {
  const reading = open().then((db) => db.getAll('drafts'));
  const all = await within(reading.catch(() => []));
  return all ? all.filter((draft) => draft.owner === owner && hasWords(draft)).length : null;
}

/** Calls back with a user's drafts about a date. Returns a function that prevents it. */
function whenRead(owner: string, dateId: string, show: (found: readonly StoredDraft[]) => void): () => void {
  let isCurrent = true;
  void findDrafts(owner, dateId)
    // Without storage there are no drafts.
    .catch(() => [])
    .then((found) => {
      if (isCurrent) show(found);
    });
  return () => {
    isCurrent = false;
  };
}

/** What a user typed about a date that can't be shown, with words; and a function that discards one of the drafts. */
export function useDraftsOfDate(owner: string, dateId: string) {
  const [drafts, setDrafts] = useState<readonly StoredDraft[]>([]);
  useEffect(() => whenRead(owner, dateId, (found) => setDrafts(found.filter(hasWords))), [owner, dateId]);
  return [drafts, discarding(setDrafts)] as const;
}

function discarding(setDrafts: Dispatch<SetStateAction<readonly StoredDraft[]>>) {
  return (draft: StoredDraft) => {
    setDrafts((all) => all.filter((one) => one !== draft));
    discardDraft(draft).catch(() => undefined);
  };
}

/** The drafts of a user about a date. */
export interface NoteDrafts {
  /** What the form has; null if nothing was typed. */
  readonly draft: NoteDraft | null;
  /** Stores what the form has; null deletes it. */
  readonly keep: (draft: NoteDraft | null) => void;
  /** What was typed into forms of other windows, with words. */
  readonly others: readonly StoredDraft[];
  readonly discard: (other: StoredDraft) => void;
}

/**
 * A user's drafts of a note. They outlive the page, the browser and an expired session on this device, and are never sent
 * before the user seals them. The form begins with the newest.
 * @param readAt when the notes were fetched, 0 before: the drafts are read then, and those of other windows again
 * @returns undefined until the drafts are read
 */
export function useNoteDrafts(owner: string, dateId: string, readAt: number): NoteDrafts | undefined {
  const [key] = useState<DraftKey>(() => ({ owner, dateId: `${dateId} ${uuidv7()}` }));
  const [draft, setDraft] = useState<NoteDraft | null>();
  const [others, setOthers] = useState<readonly StoredDraft[]>([]);
  const continued = useRef<StoredDraft | null>(undefined);
  const show = useEffectEvent((found: readonly StoredDraft[]) => {
    if (continued.current === undefined) {
      continued.current = found[0] ?? null;
      setDraft(continued.current);
    }
    const begunWith = continued.current;
    setOthers(found.filter((one) => one.dateId !== key.dateId && !isUnchanged(one, begunWith) && hasWords(one)));
  });
  useEffect(() => (readAt === 0 ? undefined : whenRead(owner, dateId, show)), [owner, dateId, readAt]);
  if (draft === undefined) return undefined;
  return {
    draft,
    others,
    keep: (next) => {
      setDraft(next);
      saveDraft(key, next, continued.current ?? null).catch(() => undefined);
    },
    discard: discarding(setOthers),
  };
}
