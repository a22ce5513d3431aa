import { useId, useState } from 'react';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { cleanText, plural } from '../../../base/text.ts';
import { IdeaTitles } from '../../../ideas/web/idea-titles.tsx';
import { useAllIdeas } from '../../../ideas/web/queries.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Section } from '../../../kit/web/layout/section.tsx';
import { type Outing, wordsOf } from '../../outings.ts';
import type { Upload } from '../queue/use-uploader.ts';
import { OutingCard } from './outing-card.tsx';
import css from './outings.module.css';
import { useAddOutings } from './use-add-outings.ts';
import { useOutingWords } from './use-outing-words.ts';

/** The outings of the selected photos that belong to no date of ours. Each becomes a past date with one press. */
export function Outings({ outings, upload }: { outings: readonly Outing[]; upload: Upload }) {
  const { data: ideas = [] } = useAllIdeas(outings.length > 0);
  const { words, write } = useOutingWords(useUser().id);
  const [untitled, setUntitled] = useState<string | null>(null);
  const list = useId();
  const { add, isAdding, failure, dismiss } = useAddOutings(upload, ideas, write);
  const described = outings.map((outing) => ({ outing, words: wordsOf(outing, words) }));
  const titled = described.filter(({ words: { what } }) => cleanText(what) !== '');
  if (outings.length === 0) return null;
  return (
    <Section title="What did we do then?" aside={plural(outings.length, 'outing')}>
      <p className="aside">
        By when they were taken. What you name becomes a date of our story, the rest stays as it is.
      </p>
      <Banner onDismiss={dismiss} more="What you wrote is still here.">
        {failure}
      </Banner>
      <IdeaTitles id={list} ideas={ideas} />
      <ul className={css.outings}>
        {described.map((one) => {
          const key = one.outing.ids[0] ?? '';
          const isTitled = titled.includes(one);
          return (
            <OutingCard
              key={key}
              {...one}
              fileOf={(id) => upload.uploader.fileOf(id)}
              ideas={ideas}
              titles={list}
              isUntitled={untitled === key && !isTitled}
              isAdding={isAdding}
              onWrite={(next) => void write(one.outing, next)}
              onAdd={() => (isTitled ? void add([one]) : setUntitled(key))}
            />
          );
        })}
      </ul>
      {titled.length > 0 && (
        <p>
          <Button variant="primary" busy={isAdding} onClick={() => void add(titled)}>
            {`Add ${plural(titled.length, 'Date')}`}
          </Button>
        </p>
      )}
    </Section>
  );
}
