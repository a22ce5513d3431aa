import type { ReactNode } from 'react';
import { Bow } from './bow.tsx';
import { ParcelBody, type ParcelBodyProps } from './parcel.tsx';
import css from './unwrapped.module.css';

/**
 * A ticket that lies on its open paper, with the cord loose beside it. On mount it plays how it was unwrapped, once: a
 * loop is pulled and the paper opens. With reduced motion it is only the last picture.
 * @param parcel the words on the paper while it was closed
 */
export function Unwrapped({ parcel, children }: { parcel: ParcelBodyProps; children: ReactNode }) {
  return (
    <div className={css.unwrapped}>
      <svg className={css.paper} viewBox="0 0 400 280" preserveAspectRatio="none" aria-hidden="true">
        <path className={css.sheet} d="M6 14L120 4l150 7 124-6 3 92-5 90 4 82-132 6-140-5-118 5-3-96 5-84z" />
        <path className={css.flap} d="M6 14L120 4l150 7 124-6-46 34H52z" />
        <path
          className={css.crease}
          d="M52 39h296M52 39L6 14M348 39l46-34M52 236h296M52 236L6 275M348 236l48 33M52 39v197M348 39v197M3 150h394M200 6v266"
        />
      </svg>
      <div className={css.ticket}>
        {children}
        <div className={css.wrapper} aria-hidden="true" data-testid="unwrapping">
          <div className={css.upper}>
            <ParcelBody {...parcel} level={0} className={css.closed} />
            <Bow pulled className={css.pulled} />
          </div>
          <div className={css.lower}>
            <ParcelBody {...parcel} level={0} />
          </div>
        </div>
      </div>
      <svg className={css.cord} viewBox="0 0 340 40" preserveAspectRatio="none" aria-hidden="true">
        <path
          pathLength="1"
          d="M2 14c30-14 52 18 86 12 20-4 22-20 8-20-14 0-12 22 14 24 44 3 60-20 100-16 38 4 60 26 128 4"
        />
      </svg>
    </div>
  );
}
