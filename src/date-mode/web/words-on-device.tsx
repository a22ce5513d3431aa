import { useUser } from '../../auth/web/session/use-session.ts';
import { UnsavedWords } from '../../kit/web/feedback/unsaved-words.tsx';
import { useKeptOnDevice } from '../../kit/web/feedback/use-kept-on-device.ts';
import { dropDateWords, findAllDateWords } from './date-words.ts';

/** What this user typed during a date that can't be shown: the partner has deleted it, or the server can't be reached. */
export function WordsOnDevice({ dateId, isDeleted }: { dateId: string; isDeleted: boolean }) {
  const owner = useUser().id;
  const words = useKeptOnDevice(findAllDateWords, owner).find((one) => one.dateId === dateId);
  if (words === undefined) return null;
  return (
    <UnsavedWords words={words.text} onDiscard={() => void dropDateWords(owner, words)}>
      {isDeleted && 'The date was deleted before they were saved. '}They are still on this device.
    </UnsavedWords>
  );
}
