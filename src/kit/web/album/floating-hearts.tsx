import { useEffect, useState } from 'react';
import { useReducedMotion } from '../../../base/web/device/use-reduced-motion.ts';
import { cx } from '../cx.ts';
import { DrawnHeart } from './drawings.tsx';
import css from './floating-hearts.module.css';

/** The number of hearts at first and at most, and the interval for one more in milliseconds. */
const DENSITIES = {
  light: { first: 3, most: 8, every: 3000 },
  medium: { first: 6, most: 15, every: 2000 },
  heavy: { first: 10, most: 25, every: 1000 },
};
const SPEEDS = { slow: 0.7, medium: 1, fast: 1.5 };
/** Seconds that a heart takes from the bottom to the top at medium speed. */
const RISE_SECONDS = 20;

interface Heart {
  key: number;
  left: boolean;
  style: { '--at': string; '--size': string; '--turn': string; '--lasts': string; '--since': string };
}

/** Creates a heart. `begun` (0 to 1) is how far up it is when it appears. */
function createHeart(key: number, seconds: number, begun: number): Heart {
  const size = 12 + Math.random() * 6;
  return {
    key,
    left: Math.random() < 0.5,
    style: {
      '--at': Math.random().toFixed(2),
      '--size': `${size.toFixed(0)}px`,
      '--turn': `${(Math.random() * 40 - 20).toFixed(0)}deg`,
      '--lasts': `${seconds.toFixed(1)}s`,
      '--since': `${(-begun * seconds).toFixed(1)}s`,
    },
  };
}

export interface FloatingHeartsProps {
  density?: keyof typeof DENSITIES;
  speed?: keyof typeof SPEEDS;
  /** Stops the movement and adds no hearts. */
  paused?: boolean;
}

/**
 * Hearts that float up behind the screen. They never cover text. Each is a direct child of the aria-hidden element
 * (screens.navigation.4). With `prefers-reduced-motion` there are none.
 */
export function FloatingHearts({ density = 'light', speed = 'slow', paused = false }: FloatingHeartsProps) {
  const { first, most, every } = DENSITIES[density];
  const seconds = RISE_SECONDS / SPEEDS[speed];
  const reduced = useReducedMotion();
  const [hearts, setHearts] = useState<Heart[]>(() =>
    Array.from({ length: first }, (_, n) => createHeart(n, seconds, (n + 1) / (first + 1))),
  );
  useEffect(() => {
    if (reduced || paused) return;
    const timer = setInterval(() => {
      setHearts((now) => (now.length < most ? [...now, createHeart((now.at(-1)?.key ?? 0) + 1, seconds, 0)] : now));
    }, every);
    return () => clearInterval(timer);
  }, [reduced, paused, most, every, seconds]);

  return (
    <div className={cx(css.hearts, paused && css.paused)} aria-hidden="true" data-testid="floating-hearts">
      {!reduced &&
        hearts.map(({ key, left, style }) => (
          <span
            key={key}
            className={cx(css.heart, left && css.left)}
            style={style}
            onAnimationEnd={() => setHearts((now) => now.filter((one) => one.key !== key))}
          >
            <DrawnHeart />
          </span>
        ))}
    </div>
  );
}
