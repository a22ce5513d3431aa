import type { User } from '../../../auth/contract.ts';
import { LinkedText } from '../../../kit/web/linked-text.tsx';
import type { Memory } from '../../../memories/contract.ts';
import type { PagePart } from '../../album-pages.ts';
import type { PrintedRow } from '../../fill-page.ts';
import { DateHeading } from './date-heading.tsx';
import type { PrintedDate } from './fetch-album.ts';
import { type OnSettled, PhotographOnPaper } from './photograph-on-paper.tsx';
import { printedLetters } from './printed-letters.ts';
import css from './printed-page.module.css';

interface PrintedPageProps {
  readonly number: number;
  readonly parts: readonly PagePart[];
  readonly dates: readonly PrintedDate[];
  readonly user: User;
  readonly zone: string;
  readonly onSettled: OnSettled;
}

/** A page of the album, with the title that it belongs to and its number below. */
export function PrintedPage({ number, parts, dates, user, zone, onSettled }: PrintedPageProps) {
  const first = dates[parts[0]?.date ?? 0];
  return (
    <section className={css.page} aria-label={`Page ${number}`}>
      {parts.map((part, n) => (
        <div key={n} className={part.kind === 'heading' ? css.begin : undefined} style={{ '--gap': part.gap }}>
          <PartOfPage part={part} of={dates[part.date]} user={user} zone={zone} onSettled={onSettled} />
        </div>
      ))}
      <p className={css.foot}>
        <span className={css.running} aria-hidden="true">
          {first?.date.dateIdea.title}
        </span>
        <span className="num">{number}</span>
      </p>
    </section>
  );
}

interface PartProps extends Pick<PrintedPageProps, 'user' | 'zone' | 'onSettled'> {
  readonly part: PagePart;
  readonly of: PrintedDate | undefined;
}

function PartOfPage({ part, of, user, zone, onSettled }: PartProps) {
  if (of === undefined) return null;
  if (part.kind === 'heading') return <DateHeading date={of.date} zone={zone} />;
  if (part.kind === 'row') return <Row row={part.row} memories={of.memories} onSettled={onSettled} />;
  if (part.kind === 'words') {
    return (
      <p className={css.words}>
        <LinkedText>{part.text}</LinkedText>
      </p>
    );
  }
  const letters = printedLetters(of.notes, user);
  return (
    <div className={css.letters}>
      {part.pieces.map(({ text, isEnd }, n) => (
        <blockquote key={n} data-gone={text === '' || undefined}>
          <p className={css.letter}>{text}</p>
          {isEnd && <footer className={css.signature}>{letters[n]?.signature}</footer>}
        </blockquote>
      ))}
    </div>
  );
}

function Row({ row, memories, onSettled }: { row: PrintedRow; memories: readonly Memory[]; onSettled: OnSettled }) {
  return (
    <div className={css.row}>
      {row.prints.map(({ photograph, width, room }) => {
        const memory = memories[photograph];
        return (
          memory !== undefined && (
            <figure key={memory.id} style={{ '--w': width.toFixed(3), '--room': room.toFixed(3) }}>
              <PhotographOnPaper memory={memory} printedWidth={width} onSettled={onSettled} />
              {memory.caption !== null && <figcaption className={css.caption}>{memory.caption}</figcaption>}
            </figure>
          )
        );
      })}
    </div>
  );
}
