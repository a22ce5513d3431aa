import { useUser } from '../../auth/web/session/use-session.ts';
import { UnsavedWords } from '../../kit/web/feedback/unsaved-words.tsx';
import { useDraftsOfDate } from './note-drafts.ts';

/** What this user wrote into a note of a date that was deleted before it was sealed. */
export function WordsOfDeletedDate({ dateId }: { dateId: string }) {
  const [drafts, discard] = useDraftsOfDate(useUser().id, dateId);
  return drafts.map((draft) => (
    <UnsavedWords key={draft.dateId} words={draft.text} onDiscard={() => discard(draft)}>
      The date was deleted before your note was sealed. Your words are still on this device.
    </UnsavedWords>
  ));
}
