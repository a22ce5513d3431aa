import { useUser } from '../../../auth/web/session/use-session.ts';
import { dropNote } from '../../../base/web/outbox.ts';
import { useKeptNotes } from '../../../kit/web/feedback/outbox-list.tsx';
import { UnsavedWords } from '../../../kit/web/feedback/unsaved-words.tsx';

/** What this user typed during a date that can't be shown: the partner has deleted it, or the server can't be reached. */
export function WordsOnDevice({ dateId, isDeleted }: { dateId: string; isDeleted: boolean }) {
  const kept = useKeptNotes(useUser().id).filter((note) => note.dateId === dateId);
  return kept.map((note) => (
    <UnsavedWords key={note.id ?? ''} words={note.text} onDiscard={() => void dropNote(note, note.text)}>
      {isDeleted && 'The date was deleted before they were saved. '}They are still on this device.
    </UnsavedWords>
  ));
}
