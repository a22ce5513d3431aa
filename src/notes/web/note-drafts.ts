import type { DBSchema, IDBPObjectStore } from 'idb';
import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useState } from 'react';
import { uuidv7 } from 'uuidv7';
import { renew } from '../../auth/web/session/session.ts';
import { cleanText } from '../../base/text.ts';
import { deviceDatabase, within } from '../../base/web/device-database.ts';
import { NOTE_DRAFTS } from '../../base/web/note-drafts.ts';
import { openForm, withClosedForm } from '../../base/web/open-forms.ts';

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

const newKey = (owner: string, dateId: string): DraftKey => ({ owner, dateId: `${dateId} ${uuidv7()}` });
const dateOf = ({ dateId }: DraftKey) => dateId.split(' ', 1)[0];
const formOf = ({ dateId }: DraftKey) => `note draft ${dateId}`;

/**
 * Returns a user's drafts about a date, the newest first. It deletes those in which nothing is left, and those of other
 * users of this device: they are not this user's to read.
 */
async function findDrafts({ owner, dateId }: DraftKey): Promise<StoredDraft[]> {
  const all = await (await open()).getAll('drafts');
  const isShown = (draft: StoredDraft) => draft.owner === owner && !isEmpty(draft);
  for (const draft of all) if (!isShown(draft)) await discardDraft(draft);
  return all
    .filter((draft) => isShown(draft) && dateOf(draft) === dateOf({ owner, dateId }))
    .sort((a, b) => (b.typedAt ?? 0) - (a.typedAt ?? 0));
}

/**
 * Finds the drafts about a form's date, first the one with which the form begins: the newest with words. It becomes the
 * form's own. Other drafts that only have hearts are deleted. Those of forms that are open stay theirs.
 */
async function beginForm(key: DraftKey): Promise<StoredDraft[]> {
  const found = await findDrafts(key);
  const begun = found.find((draft) => draft.dateId === key.dateId) ?? found.find(hasWords) ?? found[0];
  if (begun === undefined) return [];
  const others = found.filter((draft) => draft !== begun);
  for (const other of others)
    if (!hasWords(other)) await withClosedForm(formOf(other), 'open', () => discardDraft(other));
  return [await takeOver(begun, key), ...others];
}

/** Makes a draft the own one of a form, unless the form in which it was typed is open. Returns the draft as it is now. */
async function takeOver(draft: StoredDraft, key: DraftKey): Promise<StoredDraft> {
  const own = { ...draft, ...key };
  let now = draft;
  await withClosedForm(formOf(draft), 'open', async () => {
    const { store, done } = (await open()).transaction('drafts', 'readwrite');
    const isOwn = await deleteIfUnchanged(store, draft);
    if (isOwn) await store.put(own);
    await done;
    if (isOwn) now = own;
  }).catch(() => undefined);
  return now;
}

/** Stores a form's draft. */
async function saveDraft(key: DraftKey, draft: NoteDraft): Promise<void> {
  const db = await open();
  if (isEmpty(draft)) await db.delete('drafts', [key.owner, key.dateId]);
  else await db.put('drafts', { ...draft, ...key, typedAt: Date.now() });
}

/** Deletes a form's draft, and with `words` each draft about its date with which they begin. */
async function dropDrafts(key: DraftKey, words?: string): Promise<void> {
  const { store, done } = (await open()).transaction('drafts', 'readwrite');
  for (const draft of await store.getAll()) {
    const isOwn = draft.dateId === key.dateId;
    const isPart = dateOf(draft) === dateOf(key) && words?.startsWith(cleanText(draft.text));
    if (draft.owner === key.owner && (isOwn || isPart)) await store.delete([draft.owner, draft.dateId]);
  }
  await done;
}

/** Deletes a draft, unless more was typed since it was read. */
async function discardDraft(draft: StoredDraft): Promise<void> {
  try {
    const { store, done } = (await open()).transaction('drafts', 'readwrite');
    await deleteIfUnchanged(store, draft);
    await done;
  } catch {
    // It is deleted when it is read again.
  }
}

/** @returns whether it was as it had been read, and is deleted */
async function deleteIfUnchanged(
  store: IDBPObjectStore<Schema, ['drafts'], 'drafts', 'readwrite'>,
  draft: StoredDraft,
): Promise<boolean> {
  const key: [string, string] = [draft.owner, draft.dateId];
  const now = await store.get(key);
  const isUnchanged = now?.typedAt === draft.typedAt && now?.text === draft.text;
  if (isUnchanged) await store.delete(key);
  return isUnchanged;
}

function hasWords({ text }: NoteDraft): boolean {
  return cleanText(text) !== '';
}

function hasSameWords(a: NoteDraft, b: NoteDraft | null): boolean {
  return cleanText(a.text) === cleanText(b?.text ?? '');
}

function isEmpty(draft: NoteDraft): boolean {
  return !hasWords(draft) && draft.hearts === null;
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

/** Calls back with what was read. Returns a function that prevents it. */
function whenRead<T>(reading: Promise<T>, show: (found: T) => void): () => void {
  let isCurrent = true;
  void reading.then((found) => {
    if (isCurrent) show(found);
  });
  return () => {
    isCurrent = false;
  };
}

/** Without storage there are no drafts. */
const none = (): StoredDraft[] => [];

/** What a user typed about a date that can't be shown, with words; and a function that discards one of the drafts. */
export function useDraftsOfDate(owner: string, dateId: string) {
  const [drafts, setDrafts] = useState<readonly StoredDraft[]>([]);
  useEffect(
    () => whenRead(findDrafts({ owner, dateId }).catch(none), (found) => setDrafts(found.filter(hasWords))),
    [owner, dateId],
  );
  return [drafts, discarding(setDrafts)] as const;
}

function discarding(setDrafts: Dispatch<SetStateAction<readonly StoredDraft[]>>) {
  return (draft: StoredDraft) => {
    setDrafts((all) => all.filter((one) => one !== draft));
    void discardDraft(draft);
  };
}

/**
 * Calls back when the page is shown again after the browser had frozen it: meanwhile its forms counted as closed. The
 * session may have ended, so it is asked for first; without one, no database opens. Returns a function that prevents it.
 */
function onWayBack(act: () => unknown): () => void {
  const onShown = ({ persisted }: PageTransitionEvent) => {
    if (persisted) void renew().then(act);
  };
  addEventListener('pageshow', onShown);
  return () => removeEventListener('pageshow', onShown);
}

/** The drafts of a user about a date. */
export interface NoteDrafts {
  /** What the form has; null if nothing was typed. */
  readonly draft: NoteDraft | null;
  /** Stores what the form has. */
  readonly keep: (draft: NoteDraft) => void;
  /** Deletes what the form has, and with `words` what other forms have if the words begin with it. */
  readonly drop: (words?: string) => void;
  /** What was typed into forms of other windows, with words. */
  readonly others: readonly StoredDraft[];
  readonly discard: (other: StoredDraft) => void;
}

/**
 * A user's drafts of a note. They outlive the page, the browser and an expired session on this device, and are never sent
 * before the user seals them. The form begins with the newest. While it is open, no other form replaces its draft.
 * @param readAt when the notes were fetched, 0 before: the drafts are read then, and those of other windows again
 * @returns undefined until the drafts are read. A database that does not open in time counts as empty
 */
export function useNoteDrafts(owner: string, dateId: string, readAt: number): NoteDrafts | undefined {
  const [key, setKey] = useState(() => newKey(owner, dateId));
  const [draft, setDraft] = useState<NoteDraft | null>();
  const [others, setOthers] = useState<readonly StoredDraft[]>([]);
  const [dropped, setDropped] = useState<Promise<unknown>>(() => Promise.resolve());
  const read = useEffectEvent((form: DraftKey) =>
    draft === undefined ? within(beginForm(form).catch(none)) : findDrafts(form).catch(none),
  );
  const show = useEffectEvent((found: readonly StoredDraft[] | undefined) => {
    const begun = draft === undefined ? (found?.[0] ?? null) : draft;
    if (draft === undefined) setDraft(begun);
    // What is found late must not become the draft of a form that is being typed into already. It is shown beside it.
    if (!found) setKey(newKey(owner, dateId));
    setOthers((found ?? []).filter((one) => one.dateId !== key.dateId && hasWords(one) && !hasSameWords(one, begun)));
  });
  useEffect(() => openForm(formOf(key)), [key]);
  const putBack = useEffectEvent(() => draft && saveDraft(key, draft).catch(() => undefined));
  useEffect(() => onWayBack(putBack), []);
  useEffect(() => {
    if (readAt !== 0)
      return whenRead(
        dropped.then(() => read(key)),
        show,
      );
  }, [key, readAt, dropped]);
  if (draft === undefined) return undefined;
  return {
    draft,
    others,
    keep: (next) => {
      setDraft(next);
      saveDraft(key, next).catch(() => undefined);
    },
    drop: (words) => {
      setDraft(null);
      // What other windows have is read after that, and also shown if this form began with it.
      setDropped(dropDrafts(key, words).catch(() => undefined));
    },
    discard: discarding(setOthers),
  };
}
