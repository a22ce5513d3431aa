import { clockTime, mediumDate } from '../../base/date-formats.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { cx } from '../../kit/web/cx.ts';
import type { Note } from '../contract.ts';
import { HeartsOf } from './hearts.tsx';
import css from './letter.module.css';

export interface LetterProps {
  readonly note: Note;
  /** Who wrote it. */
  readonly name: string;
  /** Whether it is unfolded now, before the reader's eyes. */
  readonly unfolding?: boolean;
}

/** A note that can be read: when it was written, its words, and who signed it. */
export function Letter({ note, name, unfolding = false }: LetterProps) {
  const at = Date.parse(note.writtenAt);
  const zone = deviceZone();
  return (
    <article className={cx(css.letter, unfolding && css.unfolding)} aria-label={`Note by ${name}`}>
      <p className={cx('aside', 'num')}>
        <time dateTime={note.writtenAt}>
          {mediumDate(at, zone)}, {clockTime(at, zone)}
        </time>
      </p>
      <p className={css.words}>{note.text}</p>
      <div className={css.signature}>
        <span className={css.name}>{name}</span>
        <HeartsOf hearts={note.hearts} />
      </div>
    </article>
  );
}
