import type { DBSchema } from 'idb';
import { useEffect, useState } from 'react';
import { cleanText } from '../../base/text.ts';
import { deviceDatabase, within } from '../../base/web/device-database.ts';
import { NOTE_DRAFTS } from '../../base/web/note-drafts.ts';

/** What a user has typed into a note that is not sealed yet, or not with these words. */
export interface NoteDraft {
  readonly text: string;
  readonly hearts: number | null;
}

interface Schema extends DBSchema {
  drafts: { key: [owner: string, dateId: string]; value: NoteDraft & { readonly owner: string; dateId: string } };
}

const open = deviceDatabase<Schema>(NOTE_DRAFTS, 1, (db) => {
  db.createObjectStore('drafts', { keyPath: ['owner', 'dateId'] });
});

/** Returns a user's draft, and deletes those of other users of this device: they are not this user's to read. */
async function findDraft(owner: string, dateId: string): Promise<NoteDraft | null> {
  const db = await open();
  for (const key of await db.getAllKeys('drafts')) if (key[0] !== owner) await db.delete('drafts', key);
  return (await db.get('drafts', [owner, dateId])) ?? null;
}

async function saveDraft(owner: string, dateId: string, draft: NoteDraft | null): Promise<void> {
  const db = await open();
  if (draft === null) await db.delete('drafts', [owner, dateId]);
  else await db.put('drafts', { ...draft, owner, dateId });
}

/**
 * How many drafts with words a user has on this device, which signing out deletes.
 * @returns null if the database does not open in time. A browser that stores nothing has none.
 */
export async function countNoteDrafts(owner: string): Promise<number | null> {
  const reading = open().then((db) => db.getAll('drafts'));
  const all = await within(reading.catch(() => []));
  return all ? all.filter((draft) => draft.owner === owner && cleanText(draft.text) !== '').length : null;
}

/**
 * A user's draft of a note. It outlives the page, the browser and an expired session on this device, and is never sent
 * before the user seals it.
 * @returns the draft, null without one, undefined until it is read; and a function that stores it, null to delete it
 */
export function useNoteDraft(
  owner: string,
  dateId: string,
): readonly [NoteDraft | null | undefined, (draft: NoteDraft | null) => void] {
  const [draft, setDraft] = useState<NoteDraft | null>();
  useEffect(() => {
    let isCurrent = true;
    void findDraft(owner, dateId)
      // Without storage there are no drafts.
      .catch(() => null)
      .then((found) => {
        if (isCurrent) setDraft(found);
      });
    return () => {
      isCurrent = false;
    };
  }, [owner, dateId]);
  const keep = (next: NoteDraft | null) => {
    setDraft(next);
    saveDraft(owner, dateId, next).catch(() => undefined);
  };
  return [draft, keep];
}
