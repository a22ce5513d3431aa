import { useEffect, useState } from 'react';
import { useReducedMotion } from '../../../base/web/device/use-reduced-motion.ts';
import { cx } from '../cx.ts';
import { DrawnHeart } from './drawings.tsx';
import css from './floating-hearts.module.css';

/** The number of hearts at first and at most, and the interval for one more in milliseconds. */
const FIRST = 3;
const MOST = 8;
const INTERVAL_MS = 3000;
/** Seconds that a heart takes from the bottom to the top. */
const RISE_SECONDS = 20 / 0.7;

interface Heart {
  key: number;
  left: boolean;
  style: { '--at': string; '--size': string; '--turn': string; '--lasts': string; '--since': string };
}

/** Creates a heart. `begun` (0 to 1) is how far up it is when it appears. */
function createHeart(key: number, begun: number): Heart {
  const size = 12 + Math.random() * 6;
  return {
    key,
    left: Math.random() < 0.5,
    style: {
      '--at': Math.random().toFixed(2),
      '--size': `${size.toFixed(0)}px`,
      '--turn': `${(Math.random() * 40 - 20).toFixed(0)}deg`,
      '--lasts': `${RISE_SECONDS.toFixed(1)}s`,
      '--since': `${(-begun * RISE_SECONDS).toFixed(1)}s`,
    },
  };
}

/**
 * Hearts that float up behind the screen. They never cover text. Each is a direct child of the aria-hidden element
 * (screens.navigation.4). With `prefers-reduced-motion` there are none.
 * @param paused stops the movement and adds no hearts
 */
export function FloatingHearts({ paused = false }: { paused?: boolean }) {
  const reduced = useReducedMotion();
  const [hearts, setHearts] = useState<Heart[]>(() =>
    Array.from({ length: FIRST }, (_, n) => createHeart(n, (n + 1) / (FIRST + 1))),
  );
  useEffect(() => {
    if (reduced || paused) return;
    const timer = setInterval(() => {
      setHearts((now) => (now.length < MOST ? [...now, createHeart((now.at(-1)?.key ?? 0) + 1, 0)] : now));
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [reduced, paused]);

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
