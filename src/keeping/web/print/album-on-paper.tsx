import { Printer } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { User } from '../../../auth/contract.ts';
import { plural } from '../../../base/number-texts.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { albumPages, type PagePart } from '../../album-pages.ts';
import { AlbumCover, leadOf } from './album-cover.tsx';
import css from './album-on-paper.module.css';
import { DateHeading } from './date-heading.tsx';
import type { AlbumToPrint } from './fetch-album.ts';
import { measureTextsLike, PIXELS_PER_MM } from './measure-texts.ts';
import { printedLetters } from './printed-letters.ts';
import { PrintedPage } from './printed-page.tsx';
import { TextSamples } from './text-samples.tsx';

export interface AlbumOnPaperProps {
  readonly album: AlbumToPrint;
  readonly user: User;
  /** The couple's. */
  readonly zone: string;
}

type Pages = readonly (readonly PagePart[])[];

/** The album as the pages that are printed. Its texts are measured on the page, and then it is laid out. */
export function AlbumOnPaper(props: AlbumOnPaperProps) {
  const { album, user, zone } = props;
  const bench = useRef<HTMLDivElement>(null);
  const [laidOut, setLaidOut] = useState<{ readonly props: AlbumOnPaperProps; readonly pages: Pages }>();
  const isCurrent = laidOut?.props.album === album && laidOut.props.user === user;
  useLayoutEffect(() => {
    if (bench.current === null) return;
    setLaidOut({ props: { album, user, zone }, pages: layOut(album, user, bench.current) });
  }, [album, user, zone]);
  return (
    <>
      {laidOut && <PrintedPages {...laidOut.props} pages={laidOut.pages} />}
      {!isCurrent && (
        <div ref={bench} className={css.bench} aria-hidden="true" inert>
          <TextSamples />
          {album.dates.map(({ date }) => (
            <DateHeading key={date.id} date={date} zone={zone} />
          ))}
        </div>
      )}
    </>
  );
}

function layOut({ dates }: AlbumToPrint, user: User, bench: HTMLElement): Pages {
  const [caption, words, letter, signature] = bench.querySelectorAll(':scope > p');
  if (!caption || !words || !letter || !signature) return [];
  const headings = [...bench.querySelectorAll('article')].map(
    (one) => one.getBoundingClientRect().height / PIXELS_PER_MM,
  );
  return albumPages(
    dates.map(({ date, memories, notes }, n) => ({
      heading: headings[n] ?? 0,
      words: date.notes,
      photographs: memories.map(({ width, height, caption }) => ({ ratio: width / height, caption })),
      letters: printedLetters(notes, user),
    })),
    measureTextsLike({ caption, words, letter, signature }),
  );
}

/** The button, which waits until the photographs are loaded, and the pages. */
function PrintedPages({ album, user, zone, pages }: AlbumOnPaperProps & { readonly pages: Pages }) {
  const { dates, isLastSeen } = album;
  const [settled, setSettled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [isWanted, setIsWanted] = useState(false);
  const onSettled = useCallback((id: string, isLoaded: boolean) => {
    setSettled((known) => (known.get(id) === isLoaded ? known : new Map(known).set(id, isLoaded)));
  }, []);
  const ids = useMemo(() => dates.flatMap(({ memories }) => memories.map(({ id }) => id)), [dates]);
  const lead = useMemo(() => leadOf(dates), [dates]);
  const leadKey = lead && `cover ${lead.id}`;
  const isPartial = isLastSeen && dates.some(({ date, memories }) => memories.length < date.memoryCount);
  const here = ids.filter((id) => settled.has(id)).length;
  const missing = ids.filter((id) => settled.get(id) === false).length;
  const isReady = here === ids.length && (leadKey === undefined || settled.has(leadKey));
  useEffect(() => {
    if (!isWanted || !isReady) return undefined;
    // The page shows that it is ready before the dialog stops it.
    const timer = setTimeout(() => {
      setIsWanted(false);
      print();
    });
    return () => clearTimeout(timer);
  }, [isWanted, isReady]);
  // The photographs of hundreds of pages don't render again when one of them is loaded.
  const printed = useMemo(
    () => (
      <div className={css.album} data-ui="printed">
        <AlbumCover
          dates={dates}
          user={user}
          zone={zone}
          photograph={lead}
          onSettled={() => leadKey !== undefined && onSettled(leadKey, true)}
        />
        {pages.map((parts, n) => (
          <PrintedPage
            key={n}
            number={n + 1}
            parts={parts}
            dates={dates}
            user={user}
            zone={zone}
            onSettled={onSettled}
          />
        ))}
      </div>
    ),
    [dates, lead, leadKey, pages, user, zone, onSettled],
  );
  return (
    <>
      <div className={css.bar}>
        <p className="aside">{stateText({ count: ids.length, here, missing, isReady, isLastSeen, isPartial })}</p>
        <Button variant="primary" icon={<Printer />} busy={isWanted} onClick={() => setIsWanted(true)}>
          Print or Save as PDF
        </Button>
      </div>
      {printed}
    </>
  );
}

interface Loading {
  readonly count: number;
  /** How many photographs are loaded, or have failed. */
  readonly here: number;
  readonly missing: number;
  /** Whether all of them are settled, and the cover's too. */
  readonly isReady: boolean;
  readonly isLastSeen: boolean;
  /** Whether this device has not seen all photographs. */
  readonly isPartial: boolean;
}

function stateText({ count, here, missing, isReady, isLastSeen, isPartial }: Loading): string {
  return [
    isLastSeen ? 'We are offline. This is what this device has seen.' : '',
    isPartial ? 'Some photographs may be missing.' : '',
    isReady ? '' : `Loading our photographs: ${here} of ${count}`,
    isReady && missing > 0 ? `${plural(missing, 'photograph')} could not be loaded.` : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}
