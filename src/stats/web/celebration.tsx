import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'wouter';
import { useTimer } from '../../base/web/device/timers.ts';
import { BOTH_WANT_THIS } from '../../ideas/hearts.ts';
import { Medal } from '../../kit/web/album/medal.tsx';
import { useNoticePlace } from '../../kit/web/feedback/notices.tsx';
import { usePointerOrFocus } from '../../kit/web/feedback/use-pointer-or-focus.ts';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { IconButton } from '../../kit/web/forms/icon-button.tsx';
import { isolateNames } from '../../kit/web/isolate-names.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import { paths } from '../../paths.ts';
import { type Celebrated, celebrationText, celebrationTitle, mutualText } from '../celebrations.ts';
import { statsApi } from './api.ts';
import css from './celebration.module.css';
import { MilestoneIcon } from './milestone-icon.tsx';

/** How long it is shown, in milliseconds, unless the pointer or the focus is on it. */
const VISIBLE_MS = 10_000;
const HEARTS = 9;
const NOTHING: readonly Celebrated[] = [];

/** It can't be seen in a hidden window or behind an open dialog. */
function canBeSeen(): boolean {
  return !document.hidden && document.querySelector('dialog[open]') === null;
}

/**
 * Celebrates milestones as they are reached, and ideas that both partners want, on any screen. Each is shown once to each
 * partner, among the notices, as a `role=status` that isn't modal and doesn't take the focus.
 */
export function Celebration() {
  const container = useNoticePlace();
  /** Milestones together, or ideas together. What else is pending follows once they are hidden. */
  const [shown, setShown] = useState(NOTHING);
  /** The ids of what this page has shown. It may still be pending, since marking it as seen may have failed. */
  const hasShown = useRef(new Set<string>());
  const { data: pending = NOTHING, refetch } = useQuery({
    queryKey: ['celebrations'],
    queryFn: ({ signal }) => statsApi('GET /api/Stats/celebrations', {}, { signal }),
  });
  const { mutate: markMilestonesSeen } = useMutation({
    mutationFn: (milestones: string[]) => statsApi('POST /api/Stats/celebrations', { body: { milestones } }),
  });
  const [path] = useLocation();
  /** Shows what comes next, if it can be seen. */
  const show = useEffectEvent(async (isCancelled: () => boolean) => {
    if (!canBeSeen() || shown.length > 0 || pending.every(({ id }) => hasShown.current.has(id))) return;
    // Another window or device may have shown it already.
    const { data = NOTHING } = await refetch();
    if (isCancelled() || !canBeSeen()) return;
    const fresh = data.filter(({ id }) => !hasShown.current.has(id));
    const milestones = fresh.filter(({ ideaId }) => ideaId === null);
    const next = milestones.length > 0 ? milestones : fresh;
    for (const { id } of next) hasShown.current.add(id);
    if (next.length > 0) setShown(next);
  });
  useEffect(() => {
    if (shown.length > 0 || pending.length === 0) return undefined;
    let isCancelled = false;
    const tryToShow = () => void show(() => isCancelled);
    tryToShow();
    document.addEventListener('visibilitychange', tryToShow);
    // A dialog was closed. The event doesn't bubble.
    document.addEventListener('close', tryToShow, { capture: true });
    return () => {
      isCancelled = true;
      document.removeEventListener('visibilitychange', tryToShow);
      document.removeEventListener('close', tryToShow, { capture: true });
    };
  }, [pending, shown]);
  const lastPath = useRef(path);
  useEffect(() => {
    if (path === lastPath.current) return undefined;
    lastPath.current = path;
    let isCancelled = false;
    // A dialog that disappears with its screen sends no event.
    void show(() => isCancelled);
    return () => {
      isCancelled = true;
    };
  }, [path]);
  /** 'We went!' was undone, or a date was deleted. They are celebrated when they are reached again. */
  const takeBack = (lost: readonly string[]) => {
    for (const id of lost) hasShown.current.delete(id);
    setShown(shown.filter(({ id }) => !lost.includes(id)));
  };
  const card = shown.length > 0 && (
    <Card
      key={shown[0]?.id}
      celebrated={shown}
      onSeen={() => markMilestonesSeen(shown.map(({ id }) => id))}
      onLost={takeBack}
      onHide={() => setShown(NOTHING)}
    />
  );
  return (
    container &&
    createPortal(
      <div className={css.place} role="status">
        {card}
      </div>,
      container,
    )
  );
}

interface CardProps {
  /** Milestones, or ideas that both want. */
  readonly celebrated: readonly Celebrated[];
  /** Called once it has been on the screen. */
  readonly onSeen: () => void;
  /** Called with the ids of milestones that are no longer reached. */
  readonly onLost: (ids: readonly string[]) => void;
  readonly onHide: () => void;
}

function Card({ celebrated, onSeen, onLost, onHide }: CardProps) {
  const hold = usePointerOrFocus();
  const seen = useEffectEvent(onSeen);
  useEffect(() => {
    // Browsers run no frames for a hidden page. The second frame starts once the first is painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => seen());
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  useTimer(hold.isHeld ? null : 'shown', VISIBLE_MS, onHide);
  const dismiss = () => {
    hold.returnFocus();
    onHide();
  };
  const isMutual = celebrated[0]?.ideaId !== null;
  return (
    <div className={isMutual ? css.slip : css.card} {...hold.props}>
      {isMutual ? (
        <BothWantThis ideas={celebrated} onHide={onHide} onDismiss={dismiss} />
      ) : (
        <ReachedMilestones milestones={celebrated} onLost={onLost} onDismiss={dismiss} />
      )}
    </div>
  );
}

interface ReachedMilestonesProps {
  readonly milestones: readonly Celebrated[];
  readonly onLost: (ids: readonly string[]) => void;
  readonly onDismiss: () => void;
}

function ReachedMilestones({ milestones, onLost, onDismiss }: ReachedMilestonesProps) {
  const [first] = milestones;
  const reportLost = useEffectEvent((unreached: readonly string[]) => {
    const lost = milestones.map(({ id }) => id).filter((id) => unreached.includes(id));
    if (lost.length > 0) onLost(lost);
  });
  const { data, isFetchedAfterMount } = useQuery({
    queryKey: ['celebrations', 'milestones'],
    queryFn: ({ signal }) => statsApi('GET /api/Stats/achievements', {}, { signal }),
    // They are reached now, so only a change makes it ask.
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (!isFetchedAfterMount) return;
    reportLost(data.filter(({ earnedAt }) => earnedAt === null).map(({ id }) => id));
  }, [data, isFetchedAfterMount]);
  return (
    <>
      <Hearts />
      <Medal earned large>
        {first && <MilestoneIcon id={first.id} icon={first.icon} />}
      </Medal>
      <p className={css.words}>
        <small className="aside">{milestones.length === 1 ? 'Milestone reached' : 'Milestones we’ve reached'}</small>
        <span className={css.title}>{celebrationTitle(milestones)}</span>
        <span>{celebrationText(milestones)}</span>
      </p>
      <IconButton label="Hide milestone" icon={<X />} onClick={onDismiss} />
    </>
  );
}

interface BothWantThisProps {
  readonly ideas: readonly Celebrated[];
  readonly onHide: () => void;
  readonly onDismiss: () => void;
}

/** The slip of ideas that both want now (ideas.hearts.7). */
function BothWantThis({ ideas, onHide, onDismiss }: BothWantThisProps) {
  const [only] = ideas.length === 1 ? ideas : [];
  return (
    <>
      <svg className={`${css.drawing} drawn`} viewBox="0 0 200 80" aria-hidden="true">
        <path d="M4 60c26 8 50 8 82 6C66 52 54 42 54 28c0-9 7-16 15-16 8 0 14 5 17 13 3-8 9-13 17-13 8 0 15 7 15 16 0 14-12 24-32 38" />
        <path d="M86 66c14 2 24 2 36-3-4-3-8-6.5-11-10M111 22c4-5.5 9-8.5 15-8.5 9 0 16 7 16 16 0 13-9 23-20 33.5 22 6 46 2 74-6" />
      </svg>
      <p className={css.both}>
        <span className={css.title}>{BOTH_WANT_THIS}</span>
        <span className={`${css.ideas} clamp`}>
          {isolateNames(mutualText(ideas), ...ideas.map(({ description }) => description))}
        </span>
      </p>
      <Actions>
        {only?.ideaId ? (
          <ButtonLink variant="primary" href={paths.planDate(only.ideaId)} onClick={onHide}>
            Plan This Date
          </ButtonLink>
        ) : (
          <ButtonLink variant="primary" href={`${paths.ideas}?both=true`} onClick={onHide}>
            See them
          </ButtonLink>
        )}
        <Button variant="text" onClick={onDismiss}>
          Keep for later
        </Button>
      </Actions>
    </>
  );
}

/** Hearts that rise once from the medal; hidden with reduced motion. */
function Hearts() {
  return (
    <span className={css.hearts} aria-hidden="true" data-testid="celebration-hearts">
      {Array.from({ length: HEARTS }, (_, index) => (
        <svg key={index} viewBox="0 0 24 22" style={{ '--n': index } as CSSProperties}>
          <path d="M12 21C5 15 1 11 1 6.5A5.5 5.5 0 0 1 12 4a5.5 5.5 0 0 1 11 2.5C23 11 19 15 12 21z" />
        </svg>
      ))}
    </span>
  );
}
