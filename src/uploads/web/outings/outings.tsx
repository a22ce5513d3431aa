import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { plural } from '../../../base/number-texts.ts';
import { IdeaTitles } from '../../../ideas/web/idea-titles.tsx';
import { useAllIdeas } from '../../../ideas/web/queries.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { focusMain } from '../../../kit/web/layout/focus-main.ts';
import { Section } from '../../../kit/web/layout/section.tsx';
import { isNamed, outingFaults, wordsOf } from '../../outing-words.ts';
import type { Sorting } from '../choosing/use-sorting.ts';
import type { Upload } from '../queue/use-uploader.ts';
import { OutingCard } from './outing-card.tsx';
import css from './outings.module.css';
import { type DescribedOuting, useAddOutings } from './use-add-outings.ts';
import { useOutingDrafts } from './use-outing-drafts.ts';

/** The outings of the selected photos that belong to no date of ours. Each becomes a past date with one press. */
export function Outings({ sorting, upload }: { sorting: Sorting; upload: Upload }) {
  const { outings, stopProposingForOutings } = sorting;
  const { data: ideas = [] } = useAllIdeas(true);
  const { words, write } = useOutingDrafts(useUser().id);
  const [untitled, setUntitled] = useState<string | null>(null);
  const titles = useId();
  const addAll = useRef<HTMLButtonElement>(null);
  const { add, progress, isAdding, failure, dismiss } = useAddOutings(upload, ideas, write);
  const described = outings.map((outing) => ({ outing, words: wordsOf(outing, words) }));
  const named = described.filter((one) => isNamed(one.words));
  const { list, titleOf, focusFault, goTo, stayAt } = useTitleFields();

  /** Adds outings, unless one of them has a fault: then that field gets the focus. */
  const addSound = async (chosen: readonly DescribedOuting[]): Promise<boolean> => {
    const faulty = chosen.find((one) => Object.keys(outingFaults(one.words)).length > 0);
    if (faulty) {
      setUntitled(keyOf(faulty));
      focusFault(described.indexOf(faulty));
      return false;
    }
    stopProposingForOutings();
    return add(chosen);
  };
  const addOne = async (one: DescribedOuting, place: number) => {
    const stay = stayAt(place);
    if (await addSound([one])) stay();
  };
  const addNamed = async () => {
    // Its button goes with the last outing that has a title.
    if (await addSound(named)) focusMain();
  };

  return (
    <Section title="What did we do then?" aside={plural(outings.length, 'outing')}>
      <p className="aside">What we name becomes a date of our story. The rest stays as it is.</p>
      <Banner onDismiss={dismiss} more="What you wrote is still here.">
        {failure}
      </Banner>
      <IdeaTitles id={titles} ideas={ideas} />
      <ul ref={list} className={css.outings}>
        {described.map((one, place) => (
          <OutingCard
            key={keyOf(one)}
            {...one}
            place={place}
            fileOf={(id) => upload.uploader.fileOf(id)}
            ideas={ideas}
            titles={titles}
            isUntitled={untitled === keyOf(one)}
            isAdding={isAdding}
            isLast={place === described.length - 1}
            onWrite={(next) => void write(one.outing, next)}
            onNext={() => (titleOf(place + 1) ? goTo(place + 1) : addAll.current?.focus())}
            onAdd={() => void addOne(one, place)}
          />
        ))}
      </ul>
      {named.length > 0 && (
        <p>
          <Button ref={addAll} variant="primary" busy={isAdding} onClick={() => void addNamed()}>
            {progress === null
              ? `Add ${plural(named.length, 'Date')}`
              : `Adding ${progress.done + 1} of ${plural(progress.of, 'date')}...`}
          </Button>
        </p>
      )}
    </Section>
  );
}

function keyOf({ outing }: DescribedOuting): string {
  return outing.ids[0] ?? '';
}

/** The fields for the titles, by their places in the list. */
function useTitleFields() {
  const list = useRef<HTMLUListElement>(null);
  const [wanted, setWanted] = useState<{ readonly place: number; readonly top: number } | null>(null);
  const titleOf = (place: number) => list.current?.children[place]?.querySelector<HTMLInputElement>('input[list]');
  const topOf = (element: Element | null | undefined) => element?.getBoundingClientRect().top ?? 0;
  /** Focuses a title, and scrolls it to where another field was: the thumb names one outing after the other. */
  const focusAt = (place: number, top: number) => {
    const field = titleOf(place);
    field?.focus({ preventScroll: true });
    if (field) window.scrollBy({ top: topOf(field) - top, behavior: 'instant' });
  };
  const focusNear = useEffectEvent((place: number, top: number) => focusAt(titleOf(place) ? place : place - 1, top));
  // Once the outing that was added is gone.
  useEffect(() => {
    if (wanted !== null) focusNear(wanted.place, wanted.top);
  }, [wanted]);
  return {
    list,
    titleOf,
    /** Focuses the first field of an outing that has a fault, once it says so. */
    focusFault: (place: number) =>
      requestAnimationFrame(() => list.current?.children[place]?.querySelector<HTMLElement>('[aria-invalid]')?.focus()),
    goTo: (place: number) => focusAt(place, topOf(titleOf(place - 1))),
    /** Returns a function that focuses the title that has taken the place of the one there now, or the one before it. */
    stayAt: (place: number) => {
      const top = topOf(titleOf(place));
      // The list is gone with the last outing.
      return () => (list.current ? setWanted({ place, top }) : focusMain());
    },
  };
}
