import { useDeferredValue, useState } from 'react';
import { cx } from '../cx.ts';
import { DrawnHeart } from './drawings.tsx';
import css from './print.module.css';

export interface PhotoProps {
  /** One of the memory's three paths, or a blob URL. Without it the placeholder is shown. */
  src?: string | null | undefined;
  /** The size in pixels after rotation, to reserve the space before the picture loads. */
  width: number;
  height: number;
  /** Returns a blurred preview as a `data:` URL (from the ThumbHash), shown until the photograph has loaded. */
  blur?: (() => string | undefined) | undefined;
  /** Empty if the caption or the button's name already describes it. */
  alt?: string;
  /** Loads at once, for pictures on the first screen. */
  eager?: boolean;
  /** Loads with high priority, for the largest picture of the first screen. */
  first?: boolean;
  /** Called when it has loaded, and if it could not be. */
  onSettled?: () => void;
}

/** A photograph, or a drawn heart if it is missing or fails to load. */
export function Photo({ src, width, height, blur, alt = '', eager, first, onSettled }: PhotoProps) {
  const [failed, setFailed] = useState<string>();
  const [loaded, setLoaded] = useState<string>();
  // Blurs are made in a task of their own: those of a screen of prints take as long as rendering it.
  const hasBlur = useDeferredValue(blur !== undefined, false);
  if (!src || failed === src) {
    return (
      <span className={css.lost} {...(alt ? { role: 'img', 'aria-label': alt } : {})}>
        <DrawnHeart />
      </span>
    );
  }
  const settle = (set: (address: string) => void) => () => {
    set(src);
    onSettled?.();
  };
  return (
    <img
      key={src}
      className={cx(css.image, loaded === src && css.loaded)}
      src={src}
      alt={alt}
      width={width}
      height={height}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={first ? 'high' : undefined}
      decoding="async"
      style={blur && hasBlur && loaded !== src ? backgroundOf(blur()) : undefined}
      // Keep the blur until the picture is decoded, so that no white flash appears.
      onLoad={(event) => void event.currentTarget.decode().then(settle(setLoaded), settle(setFailed))}
      onError={settle(setFailed)}
    />
  );
}

function backgroundOf(blur: string | undefined) {
  return blur === undefined ? undefined : { backgroundImage: `url(${blur})` };
}
