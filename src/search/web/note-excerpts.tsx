import { useUser } from '../../auth/web/session/use-session.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { presentTexts } from '../../dates/optional-texts.ts';
import { Marked } from '../../kit/web/marked.tsx';
import { LEFT_AUTHOR, theirNameOn } from '../../notes/rules.ts';
import { useFoundNotes } from '../../notes/web/queries.ts';
import { excerptOf, wordsMissingIn } from '../excerpt.ts';
import css from './search.module.css';

export interface NoteExcerptsProps {
  readonly date: PlannedDate;
  /** Of `searchWords`. */
  readonly words: readonly string[];
}

/** Where the two notes of a date have the words for which it was found and that its ticket doesn't show (search.12). */
export function NoteExcerpts({ date, words }: NoteExcerptsProps) {
  const missing = wordsMissingIn([date.dateIdea.title, ...presentTexts(date)], words);
  return missing.length > 0 && <Excerpts dateId={date.id} words={missing} />;
}

function Excerpts({ dateId, words }: { dateId: string; words: readonly string[] }) {
  const { id, displayName, partner } = useUser();
  const { data: notes } = useFoundNotes(id, dateId, partner?.id ?? null);
  const found = [
    { by: displayName, text: notes?.mine?.text },
    { by: theirNameOn(notes?.theirs ?? null, partner?.displayName ?? null) ?? LEFT_AUTHOR, text: notes?.theirs?.text },
  ].flatMap(({ by, text }) => {
    const excerpt = text === undefined ? null : excerptOf(text, words);
    return excerpt === null ? [] : [{ by, excerpt }];
  });
  return found.map(({ by, excerpt }, n) => (
    <p key={n} className={css.excerpt}>
      <span className={css.by}>
        <bdi>{by}</bdi>
        {' wrote: '}
      </span>
      <span className="felt">
        <Marked>{excerpt}</Marked>
      </span>
    </p>
  ));
}
