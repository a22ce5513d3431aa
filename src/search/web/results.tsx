import { DATE_CARD_HEIGHT, DateCard } from '../../dates/web/date-card.tsx';
import { useDateActions } from '../../dates/web/use-date-actions.ts';
import { IDEA_CARD_HEIGHT, IdeaCard } from '../../ideas/web/idea-card.tsx';
import { useHearts } from '../../ideas/web/use-hearts.ts';
import { useIdeaDeletion } from '../../ideas/web/use-idea-deletion.ts';
import { Print } from '../../kit/web/album/print.tsx';
import { PrintRows } from '../../kit/web/album/print-rows.tsx';
import { CardList } from '../../kit/web/layout/card-list.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { Marked } from '../../kit/web/marked.tsx';
import { blurOf } from '../../memories/web/blur.ts';
import { printOf } from '../../memories/web/print-of.ts';
import type { SearchResult } from '../contract.ts';
import { NoteExcerpts } from './note-excerpts.tsx';
import css from './search.module.css';

/** What was found: index cards, tickets and prints, each kind under its heading with its number. */
export function Results({ found, words }: { found: SearchResult; words: readonly string[] }) {
  const { ideas, plannedDates, memories, counts } = found;
  const hearts = useHearts();
  const deletion = useIdeaDeletion();
  const { act, pendingActionOf } = useDateActions('list');
  return (
    <div className={css.results}>
      {ideas.length > 0 && (
        <Section title="Ideas" aside={counts.ideas}>
          <CardList items={ideas} label="Ideas" estimatedHeight={IDEA_CARD_HEIGHT} three>
            {(idea) => (
              <IdeaCard
                idea={hearts.withPressed(idea)}
                onDelete={deletion.ask}
                deleting={deletion.deletingId === idea.id}
                onHeart={hearts.toggle}
              />
            )}
          </CardList>
        </Section>
      )}
      {plannedDates.length > 0 && (
        <Section title="Dates" aside={counts.plannedDates}>
          <CardList items={plannedDates} label="Dates" estimatedHeight={DATE_CARD_HEIGHT}>
            {(date) => (
              <>
                <DateCard date={date} onAction={act} pendingAction={pendingActionOf(date)} />
                <NoteExcerpts date={date} words={words} />
              </>
            )}
          </CardList>
        </Section>
      )}
      {memories.length > 0 && (
        <Section title="Memories" aside={counts.memories}>
          <PrintRows label="Memories">
            {memories.map((memory) => (
              <Print
                key={memory.id}
                as="li"
                {...printOf(memory, blurOf)}
                src={memory.thumbnailUrl}
                meta={<Marked>{memory.originalFileName}</Marked>}
              />
            ))}
          </PrintRows>
        </Section>
      )}
    </div>
  );
}
