import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useDrawn } from '../../../base/web/alive.tsx';
import { cx, morphing } from '../cx.ts';
import { Corners } from './corners.tsx';
import { DrawnHeart } from './drawings.tsx';
import css from './print.module.css';

export interface PhotoProps {
  /** One of the memory's three paths, or a blob's; nothing gives the placeholder. */
  src?: string | null | undefined;
  /** In pixels, upright: the place is kept before the picture is there. */
  width: number;
  height: number;
  /** Makes a small picture as a `data:` URL (from its ThumbHash), shown until the photograph is there. */
  blur?: (() => string | undefined) | undefined;
  /** Empty where the caption or the button's name says it already. */
  alt?: string;
  /** Load at once: for what is on the first screen. */
  eager?: boolean;
  /** Before everything else: for the one that the first screen waits for. */
  first?: boolean;
}

/** The photograph itself, or a heart drawn in its place when it is missing or will not load. */
export function Photo({ src, width, height, blur, alt = '', eager, first }: PhotoProps) {
  const [failed, setFailed] = useState<string>();
  const [loaded, setLoaded] = useState<string>();
  // A photograph that the server has drawn was on its way before its blur could be made.
  const drawn = useDrawn();
  if (!src || failed === src) {
    return (
      <span className={css.lost} {...(alt ? { role: 'img', 'aria-label': alt } : {})}>
        <DrawnHeart />
      </span>
    );
  }
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
      style={blur && loaded !== src && !drawn ? backgroundOf(blur()) : undefined}
      // Not before it is decoded: until then the blur stays, and no white flashes up between.
      onLoad={(event) =>
        void event.currentTarget.decode().then(
          () => setLoaded(src),
          () => setFailed(src),
        )
      }
      onError={() => setFailed(src)}
      // It may have failed before anybody listened.
      ref={(image) => void (drawn && image?.complete && image.naturalWidth === 0 && setFailed(src))}
    />
  );
}

function backgroundOf(blur: string | undefined) {
  return blur === undefined ? undefined : { backgroundImage: `url(${blur})` };
}

export interface PrintProps extends PhotoProps {
  caption?: string | null | undefined;
  /** A quiet line under the caption: '2 days ago'. */
  meta?: ReactNode;
  /** Opens it. The name begins with 'View' (contract 5, gallery): `View: the whole beach`. */
  view?: { label: string; href: string } | { label: string; onClick: () => void } | undefined;
  /** An IconButton or two: 'Delete: the whole beach'. */
  actions?: ReactNode;
  /** Over the picture: an upload's state. */
  over?: ReactNode;
  /** The one that leads: larger mat, paper corners. */
  lead?: boolean;
  /** `li` where the prints are a list (in Rows). */
  as?: 'figure' | 'li';
  /** Its name in view transitions: a print grows into the slideshow. */
  morph?: string | undefined;
  className?: string | undefined;
}

/** A memory: a `figure`, or an `li` that holds one. */
export function Print(props: PrintProps) {
  const { caption, meta, actions, lead, as = 'figure', morph, className, width, height } = props;
  const look = {
    className: cx(css.print, lead && css.lead, className),
    style: { '--ar': (width / height).toFixed(4), ...morphing(morph) },
  };
  const inside = (
    <>
      <PrintPhoto {...props} />
      {(caption || meta || actions) && (
        <figcaption className={css.note}>
          <span className={css.words}>
            {caption && <span className={css.caption}>{caption}</span>}
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

function PrintPhoto({ view, over, lead, src, width, height, blur, alt, eager }: PrintProps) {
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
      {over}
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

export interface RowsProps {
  /** Prints with `as="li"`. */
  children: ReactNode;
  /** All in one row, however many. */
  one?: boolean;
  small?: boolean;
  label?: string;
}

/** Prints in justified rows, each in its own proportions. */
export function Rows({ children, one, small, label }: RowsProps) {
  return (
    <ul className={cx(css.rows, one && css.one, small && css.small)} aria-label={label}>
      {children}
    </ul>
  );
}
