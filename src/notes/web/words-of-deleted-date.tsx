import { useUser } from '../../auth/web/session/use-session.ts';
import { cleanText } from '../../base/clean-text.ts';
import { UnsavedWords } from '../../kit/web/feedback/unsaved-words.tsx';
import { useNoteDraft } from './note-draft.ts';

/** What this user wrote into a note of a date that was deleted before it was sealed. */
export function WordsOfDeletedDate({ dateId }: { dateId: string }) {
  const stored = useNoteDraft(useUser().id, dateId);
  const words = stored?.draft?.text ?? '';
  if (!stored || cleanText(words) === '') return null;
  return (
    <UnsavedWords words={words} onDiscard={stored.drop}>
      The date was deleted before your note was sealed. Your words are still on this device.
    </UnsavedWords>
  );
}
