import { KeptWords } from '../../kit/web/feedback/kept-words.tsx';

export interface LateWordsProps {
  readonly words: string;
  readonly onDiscard: () => void;
}

/** What was typed when both notes had been opened: it can't be in the note anymore, and it isn't lost. */
export function LateWords({ words, onDiscard }: LateWordsProps) {
  return (
    <section aria-label="Not in your note">
      <KeptWords words={words} onDiscard={onDiscard}>
        <p role="alert">Both notes are open now, so this is not in your note anymore. We kept it here for you.</p>
      </KeptWords>
    </section>
  );
}
