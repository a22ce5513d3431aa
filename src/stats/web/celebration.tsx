import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type CSSProperties, type FocusEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { client } from '../../base/web/api.ts';
import { Medal } from '../../kit/web/album/medal.tsx';
import { useNoticePlace } from '../../kit/web/feedback/notices.tsx';
import { IconButton } from '../../kit/web/forms/icon-button.tsx';
import { celebrationText, celebrationTitle, type ReachedMilestone } from '../celebrations.ts';
import type { statsCalls } from '../contract.ts';
import css from './celebration.module.css';
import { MilestoneIcon } from './milestone-icon.tsx';

const api = client<typeof statsCalls>();

/** How long it is shown, in milliseconds, unless the pointer or the focus is on it. */
const VISIBLE_MS = 10_000;
/** How often to check whether it can be seen, in milliseconds. */
const RECHECK_MS = 1500;
const HEARTS = 9;
const NOTHING: readonly ReachedMilestone[] = [];

/** It can't be seen in a hidden window or behind an open dialog. */
function canBeSeen(): boolean {
  return !document.hidden && document.querySelector('dialog[open]') === null;
}

/**
 * Celebrates milestones as they are reached, on any screen. Each is shown once to each partner, among the notices, as
 * a `role=status` that isn't modal and doesn't take the focus.
 */
export function Celebration() {
  const container = useNoticePlace();
  const [shown, setShown] = useState(NOTHING);
  const { data: pending = NOTHING, refetch } = useQuery({
    queryKey: ['celebrations'],
    queryFn: ({ signal }) => api('GET /api/Stats/celebrations', {}, { signal }),
  });
  const { mutate: markMilestonesSeen } = useMutation({
    mutationFn: (milestones: string[]) => api('POST /api/Stats/celebrations', { body: { milestones } }),
  });
  /** Shows the milestones if they can be seen. Resolves to whether no further check is needed. */
  const show = useEffectEvent(async () => {
    if (!canBeSeen()) return false;
    // Another window or device may have shown them already.
    const { data = NOTHING } = await refetch();
    if (!canBeSeen()) return false;
    if (data.length > 0) setShown(data);
    return true;
  });
  useEffect(() => {
    if (pending.length === 0) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    let isCancelled = false;
    const showOrRetry = async () => {
      if (!(await show()) && !isCancelled) timer = setTimeout(() => void showOrRetry(), RECHECK_MS);
    };
    void showOrRetry();
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [pending]);
  const card = shown.length > 0 && (
    <Card
      key={shown[0]?.id}
      milestones={shown}
      onSeen={() => markMilestonesSeen(shown.map(({ id }) => id))}
      onHide={() => setShown(NOTHING)}
    />
  );
  return container && createPortal(<div role="status">{card}</div>, container);
}

interface CardProps {
  readonly milestones: readonly ReachedMilestone[];
  /** Called once it has been on the screen. */
  readonly onSeen: () => void;
  readonly onHide: () => void;
}

function Card({ milestones, onSeen, onHide }: CardProps) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const cameFrom = useRef<EventTarget | null>(null);
  const seen = useEffectEvent(onSeen);
  const hideCard = useEffectEvent(onHide);
  useEffect(() => {
    // Browsers run no frames for a hidden page. The second frame starts once the first is painted.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => seen());
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  useEffect(() => {
    if (hovered || focused) return undefined;
    const timer = setTimeout(() => hideCard(), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [hovered, focused]);
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
    setFocused(true);
  };
  const dismiss = () => {
    // The button is removed, so return the focus to where it was.
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    onHide();
  };
  const [first] = milestones;
  return (
    <div
      className={css.card}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={onFocus}
      onBlur={() => setFocused(false)}
    >
      <Hearts />
      <Medal earned large>
        {first && <MilestoneIcon id={first.id} icon={first.icon} />}
      </Medal>
      <p className={css.words}>
        <small className="aside">{milestones.length === 1 ? 'Milestone reached' : 'Milestones we’ve reached'}</small>
        <span className={css.title}>{celebrationTitle(milestones)}</span>
        <span>{celebrationText(milestones)}</span>
      </p>
      <IconButton label="Hide milestone" icon={<X />} onClick={dismiss} />
    </div>
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
