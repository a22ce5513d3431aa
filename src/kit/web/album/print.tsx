import { type ReactNode, useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { cx } from '../cx.ts';
import { Marked } from '../marked.tsx';
import { Corners } from './corners.tsx';
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

export interface PrintProps extends PhotoProps {
  caption?: string | null | undefined;
  /** A secondary line under the caption: '2 days ago'. */
  meta?: ReactNode;
  /** The button that opens it. Its name begins with 'View': `View: the whole beach`. */
  view?: { label: string; href: string } | { label: string; onClick: () => void } | undefined;
  /** IconButtons: 'Delete: the whole beach'. */
  actions?: ReactNode;
  /** The lead picture: a larger mat and paper corners. */
  lead?: boolean;
  /** `li` if the prints are a list (in `PrintRows`). */
  as?: 'figure' | 'li';
  className?: string | undefined;
}

/** A memory as a `figure`, or as an `li` with a figure. */
export function Print(props: PrintProps) {
  const { caption, meta, actions, lead, as = 'figure', className, width, height } = props;
  const look = {
    className: cx(css.print, lead && css.lead, className),
    style: { '--ar': (width / height).toFixed(4) },
  };
  const inside = (
    <>
      <PrintPhoto {...props} />
      {(caption || meta || actions) && (
        <figcaption className={css.note}>
          <span className={css.words}>
            {caption && (
              <span className={cx(css.caption, 'clamp')}>
                <Marked>{caption}</Marked>
              </span>
            )}
            {meta && <small className={cx(css.meta, 'num')}>{meta}</small>}
          </span>
          {actions && <span className={css.actions}>{actions}</span>}
        </figcaption>
      )}
    </>
  );
  return as === 'li' ? (
    <li {...look}>
      <figure>{inside}</figure>
    </li>
  ) : (
    <figure {...look}>{inside}</figure>
  );
}

function PrintPhoto({ view, lead, src, width, height, blur, alt, eager }: PrintProps) {
  const inside = (
    <>
      <Photo
        src={src}
        width={width}
        height={height}
        blur={blur}
        {...(alt === undefined ? {} : { alt })}
        {...(eager === undefined ? {} : { eager })}
        first={(lead && eager) === true}
      />
      {lead && <Corners />}
    </>
  );
  if (!view) return <span className={css.photo}>{inside}</span>;
  return 'href' in view ? (
    <Link href={view.href} className={css.photo} aria-label={view.label}>
      {inside}
    </Link>
  ) : (
    <button type="button" className={css.photo} aria-label={view.label} onClick={view.onClick}>
      {inside}
    </button>
  );
}

export interface PrintRowsProps {
  /** Prints with `as="li"`. */
  children: ReactNode;
  /** Puts all prints in one row. */
  one?: boolean;
  small?: boolean;
  label?: string;
}

/** Prints in justified rows, each with its own aspect ratio. */
export function PrintRows({ children, one, small, label }: PrintRowsProps) {
  return (
    <ul className={cx(css.rows, one && css.one, small && css.small)} aria-label={label}>
      {children}
    </ul>
  );
}
