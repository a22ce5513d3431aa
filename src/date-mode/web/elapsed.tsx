import { useState } from 'react';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { cx } from '../../kit/web/cx.ts';
import { plannedUntilText, sinceText } from '../running-date-times.ts';
import { seamOf, seamText } from '../seam.ts';
import { PATH_LENGTH, restDashes, SEAM_PATH, sewnDashes } from '../seam-dashes.ts';
import css from './elapsed.module.css';
import { ElapsedFigure } from './elapsed-figure.tsx';

/** The time since the start, and under it the thread that is sewn while we are out. It moves once a minute. */
export function Elapsed({ date }: { date: PlannedDate }) {
  const now = useNow();
  const zone = deviceZone();
  const until = plannedUntilText(date, now, zone);
  return (
    <div className={css.elapsed}>
      <p className={css.large}>
        <ElapsedFigure date={date} />
      </p>
      <SeamDrawing date={date} now={now} />
      <p className={cx(css.ends, 'num')}>
        <span>{sinceText(date, zone)}</span>
        {until && <span>{until}</span>}
      </p>
    </div>
  );
}

/** Where the needle is drawn, relative to the end of the thread, and how large. */
const NEEDLE = { x: 242, y: 30, scale: 0.7 };

function SeamDrawing({ date, now }: { date: PlannedDate; now: number }) {
  const { sewn, stitches, knots, hasRest } = seamOf(date, now);
  const [thread, setThread] = useState<SVGPathElement | null>(null);
  /** The point of the thread after a share of its length, 0 to 1. */
  const pointAt = (share: number) => thread?.getPointAtLength(share * thread.getTotalLength()) ?? { x: 0, y: 0 };
  const end = pointAt(sewn);
  return (
    <svg className={`${css.seam} drawn`} viewBox="0 0 312 52" role="img" aria-label={seamText(date, now)}>
      {hasRest && (
        <path className={css.rest} d={SEAM_PATH} pathLength={PATH_LENGTH} strokeDasharray={restDashes(sewn)} />
      )}
      <path
        ref={setThread}
        className={css.sewn}
        d={SEAM_PATH}
        pathLength={PATH_LENGTH}
        strokeDasharray={sewnDashes(stitches, sewn)}
      />
      {[0, ...knots.slice(1)].map((share) => {
        const { x, y } = pointAt(share);
        return <circle key={share} className={css.knot} cx={x} cy={y} r="3" />;
      })}
      <g transform={`translate(${end.x} ${end.y}) scale(${NEEDLE.scale}) translate(${-NEEDLE.x} ${-NEEDLE.y})`}>
        <path
          className={css.needle}
          d="M256 24.500c14-5.500 30-10.500 46-14.500-13 8.500-28 16-42.500 20-4.500 1.200-6.800-4-3.500-5.500z"
        />
        <path className={css.needle} d="M261 26.200l9-3.200" />
        <path className={css.tail} d="M242 30c8-.2 12-.6 17-2.200 5-1.600 8-2.200 9-4.600" />
      </g>
    </svg>
  );
}
