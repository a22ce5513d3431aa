import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import css from './two-notes.module.css';

export interface LateWordsProps {
  readonly words: string;
  readonly onDiscard: () => void;
}

/** What was typed when both notes had been opened: it can't be in the note anymore, and it isn't lost. */
export function LateWords({ words, onDiscard }: LateWordsProps) {
  const notify = useNotify();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(words);
      notify.status('Copied');
    } catch {
      // The clipboard is unavailable over plain HTTP or without permission.
      notify.status('Please select and copy the words yourself');
    }
  };
  return (
    <section className={css.late} aria-label="Not in your note">
      <p role="alert">Both notes are open now, so this is not in your note anymore. We kept it here for you.</p>
      <p className="felt">{words}</p>
      <Actions>
        <Button onClick={() => void copy()}>Copy</Button>
        <Button variant="text" onClick={onDiscard}>
          Discard
        </Button>
      </Actions>
    </section>
  );
}
