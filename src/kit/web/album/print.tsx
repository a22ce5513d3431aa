import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../cx.ts';
import { Marked } from '../marked.tsx';
import { Corners } from './corners.tsx';
import { Photo, type PhotoProps } from './photo.tsx';
import css from './print.module.css';

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
