import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type CSSProperties, useEffect, useEffectEvent, useState } from 'react';
import { client } from '../../base/web/api.ts';
import { IconButton } from '../../base/web/ui/icon-button.tsx';
import { Medal } from '../../base/web/ui/medal.tsx';
import { type Celebrated, celebrationText, celebrationTitle } from '../celebrations.ts';
import type { statsCalls } from '../contract.ts';
import css from './celebration.module.css';
import { MilestoneIcon } from './milestone-icon.tsx';

const api = client<typeof statsCalls>();

/** How long it stays, in milliseconds, unless it is looked at. */
const STAYS = 10_000;
/** How soon it is looked again whether it can be seen, in milliseconds. */
const AGAIN = 1500;
const HEARTS = 9;
const NOTHING: readonly Celebrated[] = [];

/**
 * Celebrates milestones as they are reached, on whichever screen is open: each is shown once to each partner (issue 5).
 * A `role=status`, never modal, never taking the focus.
 */
export function Celebration() {
  const [shown, setShown] = useState(NOTHING);
  const { data: coming = NOTHING } = useQuery({
    queryKey: ['celebrations'],
    queryFn: ({ signal }) => api('GET /api/Stats/celebrations', {}, { signal }),
  });
  const { mutate } = useMutation({
    mutationFn: (milestones: string[]) => api('POST /api/Stats/celebrations', { body: { milestones } }),
    onSuccess: (mine) => setShown((now) => (mine.length > 0 ? mine : now)),
  });
  const take = useEffectEvent(() => mutate(coming.map(({ id }) => id)));
  useEffect(() => {
    if (coming.length === 0) return undefined;
    const show = () => {
      // Behind an open dialog, or in a window that nobody sees, it would pass unnoticed.
      if (document.hidden || document.querySelector('dialog[open]')) return;
      clearInterval(timer);
      take();
    };
    const timer = setInterval(show, AGAIN);
    show();
    return () => clearInterval(timer);
  }, [coming]);
  return (
    <div role="status" className={css.place}>
      {shown.length > 0 && <Card key={shown[0]?.id} celebrated={shown} onGone={() => setShown(NOTHING)} />}
    </div>
  );
}

function Card({ celebrated, onGone }: { celebrated: readonly Celebrated[]; onGone: () => void }) {
  const [held, setHeld] = useState(false);
  const gone = useEffectEvent(onGone);
  useEffect(() => {
    if (held) return undefined;
    const timer = setTimeout(() => gone(), STAYS);
    return () => clearTimeout(timer);
  }, [held]);
  const [first] = celebrated;
  return (
    <div className={css.card}>
      <Hearts />
      <Medal earned large>
        {first && <MilestoneIcon id={first.id} icon={first.icon} />}
      </Medal>
      <p className={css.words}>
        <small className="aside">{celebrated.length === 1 ? 'A milestone of ours' : 'Already ours'}</small>
        <span className={css.title}>{celebrationTitle(celebrated)}</span>
        <span>{celebrationText(celebrated)}</span>
      </p>
      <IconButton
        label="Hide milestone"
        icon={<X />}
        className={css.hide}
        onPointerEnter={() => setHeld(true)}
        onPointerLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
        onClick={onGone}
      />
    </div>
  );
}

/** A few hearts that rise once from the medal; none for those who want less motion. */
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
