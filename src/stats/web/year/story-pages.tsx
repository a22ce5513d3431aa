import { Printer, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { longDate, mediumDate } from '../../../base/date-formats.ts';
import { dayOf } from '../../../base/instants.ts';
import { plural } from '../../../base/number-texts.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNow } from '../../../base/web/device/now.ts';
import { Print } from '../../../kit/web/album/print.tsx';
import { PrintRows } from '../../../kit/web/album/print-rows.tsx';
import { CoupleText } from '../../../kit/web/couple-text.tsx';
import { Button, ButtonLink } from '../../../kit/web/forms/button.tsx';
import { isolateNames } from '../../../kit/web/isolate-names.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import { withUnits } from '../../../kit/web/layout/figures.tsx';
import { TextLink } from '../../../kit/web/layout/text-link.tsx';
import type { Memory } from '../../../memories/contract.ts';
import { blurOf } from '../../../memories/web/blur.ts';
import { printOf } from '../../../memories/web/print-of.ts';
import { paths } from '../../../paths.ts';
import type { Year } from '../../contract.ts';
import { totalText } from '../../total-texts.ts';
import { photosOfPages } from '../../year-photos.ts';
import {
  endText,
  longestMonthOf,
  monthText,
  nameOfMonth,
  openingText,
  photographsText,
  placesText,
} from '../../year-texts.ts';
import { Months } from '../months.tsx';
import { DrawingOfLetters } from './drawing-of-letters.tsx';
import { SavePicture } from './save-picture.tsx';
import css from './story-pages.module.css';

/** The two sides of a page of a year's story. */
export interface StoryPage {
  /** For screen readers. */
  readonly name: string;
  /** `near`: the photographs should load now. */
  readonly left: (near: boolean) => ReactNode;
  readonly right: ((near: boolean) => ReactNode) | null;
}

export interface EndActions {
  readonly print: () => void;
  readonly restart: () => void;
}

/** The pages of a year's story. A page about something that the year has none of is left out. */
export function storyPages(year: Year, names: readonly string[], actions: EndActions): readonly StoryPage[] {
  const photos = photosOfPages(year);
  const month = longestMonthOf(year);
  const { longestDate, places, mutualNotes } = year;
  const half = Math.ceil(photos.page.length / 2);
  const pages: readonly (StoryPage | false | null)[] = [
    {
      name: 'The opening',
      left: () => (
        <>
          <p className="aside">{isolateNames(names.join(' & '), ...names)}</p>
          <p className={css.number} aria-hidden="true">
            {year.year}
          </p>
          <p className="felt">{openingText(year)}</p>
        </>
      ),
      right: lead(photos.opening),
    },
    month && {
      name: 'The months',
      left: () => (
        <>
          <p className="aside">Month by month</p>
          <h2 className="title">{nameOfMonth(month.month)} held us longest</h2>
          <p className="felt">{monthText(month)}</p>
          <Months months={year.months} />
        </>
      ),
      right: lead(photos.months, true),
    },
    longestDate && (longestDate.value ?? 0) > 0
      ? {
          name: 'The longest date',
          left: () => (
            <>
              <p className="aside">{year.dates === 1 ? 'Our date' : 'Our longest date'}</p>
              <h2 className="title">{longestDate.title}</h2>
              <p className={`${css.length} num`}>{withUnits(totalText(longestDate.value ?? 0))}</p>
              <p className="aside num">{longDate(Date.parse(longestDate.plannedDateTime), deviceZone())}</p>
              <p className={css.more}>
                <TextLink href={paths.date(longestDate.plannedDateId)}>View Details</TextLink>
              </p>
            </>
          ),
          right: lead(photos.longest),
        }
      : null,
    places.length > 0 && {
      name: 'The places',
      left: () => (
        <>
          <p className="aside">Where we went</p>
          <h2 className="title">{placesText(places)}</h2>
          <Places places={places} />
        </>
      ),
      right: lead(photos.places, true),
    },
    mutualNotes > 0 && notesPage(mutualNotes),
    photos.page.length > 0 && {
      name: 'The photographs',
      left: (near) => (
        <>
          <p className="aside">{photographsText(year)}</p>
          <h2 className="title">What we kept</h2>
          <Prints memories={photos.page.slice(0, half)} near={near} label="Photographs" />
        </>
      ),
      right: (near) => <Prints memories={photos.page.slice(half)} near={near} label="More photographs" />,
    },
    { name: 'See you next year', left: () => <End year={year} names={names} {...actions} />, right: lead(photos.end) },
  ];
  return pages.filter((page) => page !== null && page !== false);
}

function notesPage(mutualNotes: number): StoryPage {
  return {
    name: 'Two notes',
    left: () => (
      <>
        <p className="aside">What we wrote</p>
        <p className={`${css.number} num`} role="heading" aria-level={2}>
          {mutualNotes}
        </p>
        <p className="felt">
          {mutualNotes === 1 ? 'time' : 'times'} we both wrote it down, and opened the two notes together.
        </p>
      </>
    ),
    right: () => <DrawingOfLetters />,
  };
}

/** A photograph in corners, which leads to the memory. `small`: smaller on phones, since its page has much to read. */
function lead(memory: Memory | undefined, small = false): StoryPage['right'] {
  if (!memory) return null;
  return (near) => (
    <Print
      {...printOf(memory, blurOf)}
      lead
      eager={near}
      src={memory.previewUrl}
      meta={mediumDate(Date.parse(memory.happenedAt), deviceZone())}
      className={small ? css.small : css.lead}
    />
  );
}

/** Photographs without their captions: there is only room for the pictures. */
function Prints({ memories, near, label }: { memories: readonly Memory[]; near: boolean; label: string }) {
  return (
    <PrintRows label={label}>
      {memories.map((memory) => (
        <Print
          key={memory.id}
          {...printOf(memory, blurOf)}
          as="li"
          eager={near}
          src={memory.thumbnailUrl}
          caption={null}
        />
      ))}
    </PrintRows>
  );
}

/** The places on one thread, most visited first. */
function Places({ places }: Pick<Year, 'places'>) {
  return (
    <ol className={`${css.places} num`}>
      {places.map(({ location, dates }) => (
        <li key={location}>
          <bdi>
            <CoupleText>{location}</CoupleText>
          </bdi>{' '}
          <small>{plural(dates, 'date')}</small>
        </li>
      ))}
    </ol>
  );
}

function End({ year, names, print, restart }: EndActions & { year: Year; names: readonly string[] }) {
  const today = dayOf(useNow(), deviceZone());
  return (
    <>
      <h2 className="title">See you next year</h2>
      <p className="felt">{endText(year, today)}</p>
      <Actions className={css.actions ?? ''}>
        <SavePicture year={year} names={names} />
        <Button icon={<Printer />} onClick={print}>
          Print
        </Button>
      </Actions>
      <Actions className={css.actions ?? ''}>
        <ButtonLink variant="text" flush href={paths.printYear(year.year)}>
          Print this year
        </ButtonLink>
        <ButtonLink variant="text" flush href={paths.stats}>
          Back to Our Story
        </ButtonLink>
        <Button variant="text" icon={<RotateCcw />} onClick={restart}>
          Start again
        </Button>
      </Actions>
    </>
  );
}
