import { Fragment } from 'react';
import { isHostAlone, splitLinks } from '../../base/links.ts';
import css from './linked-text.module.css';
import { Marked } from './marked.tsx';

/** A text with its web addresses as links that open outside of the app, each with its host behind it (screens.links.1). */
export function LinkedText({ children }: { children: string }) {
  return splitLinks(children).map((piece, n) =>
    typeof piece === 'string' ? (
      <Fragment key={n}>
        <Marked>{piece}</Marked>
      </Fragment>
    ) : (
      <span key={n} className={css.link} data-host={isHostAlone(piece) ? undefined : piece.host}>
        <a href={piece.href} target="_blank" rel="noopener" dir="ltr">
          <Marked>{piece.text}</Marked>
        </a>
      </span>
    ),
  );
}
