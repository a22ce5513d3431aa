import { X } from 'lucide-react';
import {
  type CSSProperties,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { useVisibleTimer } from '../../../base/web/device/timers.ts';
import { useReducedMotion } from '../../../base/web/device/use-reduced-motion.ts';
import { useSwipe } from '../../../base/web/device/use-swipe.ts';
import { cx } from '../../../kit/web/cx.ts';
import { Announcement } from '../../../kit/web/feedback/announcement.tsx';
import { IconButton } from '../../../kit/web/forms/icon-button.tsx';
import { PlayControls } from '../../../kit/web/forms/play-controls.tsx';
import album from '../../../kit/web/layout/page.module.css';
import { usePageMark } from '../../../kit/web/layout/use-page-mark.ts';
import { paths } from '../../../paths.ts';
import type { Year } from '../../contract.ts';
import { type StoryPage, storyPages } from './story-pages.tsx';
import { usePrinting } from './use-printing.ts';
import css from './year-story.module.css';

/** Milliseconds per page while the story turns by itself. */
const PAGE_MS = 7_000;

/** A year's story, page by page: by tap, swipe, arrow keys, or by itself until a press (stats.year.5). */
export function YearStory({ year }: { year: Year }) {
  usePageMark('year');
  const { displayName, partner } = useUser();
  const [, navigate] = useLocation();
  const { isPrinting, print } = usePrinting();
  const [place, setPlace] = useState(0);
  const [wantsToPlay, setPlaying] = useState(false);
  const moves = useMotion(setPlaying);
  const names = partner === null ? [displayName] : [displayName, partner.displayName];
  const pages = storyPages(year, names, { print, restart: () => setPlace(0) });
  const last = pages.length - 1;
  const isPlaying = wantsToPlay && place < last;

  const turn = (by: number) => setPlace((now) => Math.min(last, Math.max(0, now + by)));
  const turnByHand = (by: number) => {
    setPlaying(false);
    turn(by);
  };
  const toggle = () => {
    if (place === last) setPlace(0);
    setPlaying(!isPlaying);
  };
  useVisibleTimer(isPlaying ? place : null, PAGE_MS, () => turn(1));
  useKeys({ turn: turnByHand, toggle: moves ? toggle : null, leave: () => navigate(paths.stats) });
  const touch = useTouch(turnByHand);

  return (
    <main id="main" tabIndex={-1} className={css.story} data-ui="year">
      <h1 className="visually-hidden">Our year {year.year}</h1>
      <Bar pages={pages} place={place} isPlaying={isPlaying} onClose={() => navigate(paths.stats)} />
      {/* Taps and swipes are a second way: the buttons below do the same. */}
      <div role="presentation" className={css.pages} {...touch}>
        {pages.map((page, index) => (
          <PageOfStory
            key={page.name}
            page={page}
            current={index === place}
            near={isPrinting || Math.abs(index - place) < 2}
          />
        ))}
      </div>
      <PlayControls
        labels={{ previous: 'Previous page', next: 'Next page' }}
        isFirst={place === 0}
        isLast={place === last}
        isPlaying={isPlaying}
        onStep={turnByHand}
        onToggle={moves ? toggle : null}
        className={css.turn}
      />
    </main>
  );
}

interface BarProps {
  readonly pages: readonly StoryPage[];
  readonly place: number;
  readonly isPlaying: boolean;
  readonly onClose: () => void;
}

/** A stitch per page, and the way out. Screen readers hear each page's name, but not while it plays. */
function Bar({ pages, place, isPlaying, onClose }: BarProps) {
  const text = `Page ${place + 1} of ${pages.length}`;
  return (
    <div className={css.bar}>
      <div className={css.stitches} role="img" aria-label={text}>
        {pages.map(({ name }, index) => (
          <i
            key={name}
            className={cx(css.stitch, index < place && css.done, index === place && css.current)}
            data-playing={isPlaying || undefined}
            style={{ '--page-time': `${PAGE_MS}ms` } as CSSProperties}
          />
        ))}
      </div>
      <Announcement>{isPlaying ? '' : `${text}: ${pages[place]?.name}`}</Announcement>
      <IconButton label="Close, back to Our Story" icon={<X />} onClick={onClose} />
    </div>
  );
}

function PageOfStory({ page, current, near }: { page: StoryPage; current: boolean; near: boolean }) {
  const { name, left, right } = page;
  return (
    <section
      className={cx(album.bound, album.folded, css.page, right === null && css.alone, current && css.shown)}
      aria-label={name}
    >
      <div className={css.leaf}>{left(near)}</div>
      {right !== null && <div className={css.leaf}>{right(near)}</div>}
    </section>
  );
}

/** Starts the story, and returns whether it may turn by itself: never with reduced motion. */
function useMotion(start: (isPlaying: boolean) => void): boolean {
  const moves = !useReducedMotion();
  const begin = useEffectEvent(start);
  useEffect(() => begin(moves), [moves]);
  return moves;
}

interface Keys {
  readonly turn: (by: number) => void;
  readonly toggle: (() => void) | null;
  readonly leave: () => void;
}

/** Arrows turn the page, space plays or pauses, Escape leaves. Dialogs and focused buttons keep their own keys. */
function useKeys({ turn, toggle, leave }: Keys): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]')) return;
    const isOnControl = (event.target as Element).closest('button, a') !== null;
    const acts: Readonly<Record<string, (() => void) | null>> = {
      ArrowLeft: () => turn(-1),
      ArrowRight: () => turn(1),
      ' ': isOnControl ? null : toggle,
      Escape: leave,
    };
    const found = acts[event.key];
    if (!found) return;
    event.preventDefault();
    found();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => act(event);
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** A swipe turns the page, and so does a tap: back on the first third of the page, forward elsewhere. */
function useTouch(turn: (by: number) => void) {
  // The click at the end of a swipe turns nothing, however late it comes on a busy device.
  const hasSwiped = useRef(false);
  const { handlers } = useSwipe((by) => {
    hasSwiped.current = true;
    turn(by);
  });
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    hasSwiped.current = false;
    handlers.onPointerDown(event);
  };
  const onClick = (event: MouseEvent<HTMLElement>) => {
    if ((event.target as Element).closest('a, button, dialog')) return;
    const isSelecting = getSelection()?.isCollapsed === false;
    if (isSelecting || hasSwiped.current) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    turn(event.clientX - left < width / 3 ? -1 : 1);
  };
  return { ...handlers, onPointerDown, onClick };
}
