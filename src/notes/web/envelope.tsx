import type { ReactNode } from 'react';
import { cx } from '../../kit/web/cx.ts';
import css from './envelope.module.css';

export interface EnvelopeProps {
  readonly title: ReactNode;
  /** The sentence below the title. */
  readonly children: ReactNode;
  /** Whether a note is in it. Otherwise it is an outline in pencil. */
  readonly sealed?: boolean;
}

/** The partner's envelope: closed by a cord around two paper buttons, or not there yet. */
export function Envelope({ title, children, sealed = false }: EnvelopeProps) {
  return (
    <div className={cx(css.envelope, !sealed && css.absent)}>
      <svg className={`${css.drawing} drawn`} viewBox="0 0 320 208" aria-hidden="true">
        {sealed ? <SealedEnvelope /> : <path d="M5 6h310v196H5zM5 6l143 104c8 6 16 6 24 0L315 6" />}
      </svg>
      <h3>
        {title} <span className={css.more}>{children}</span>
      </h3>
    </div>
  );
}

function SealedEnvelope() {
  return (
    <>
      <path className={css.paper} d="M5 6h310a3 3 0 0 1 3 3v190a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V9a3 3 0 0 1 3-3z" />
      <path className={css.fold} d="M3 201l119-92M317 201l-119-92" />
      <path className={css.paper} d="M3 7l145 106c8 6 16 6 24 0L317 7" />
      <g transform="translate(160 116) scale(1.25) translate(-160 -118)">
        {[94, 146].map((cy) => (
          <g key={cy}>
            <circle className={css.button} cx="160" cy={cy} r="12" />
            <circle className={css.pin} cx="160" cy={cy} r="7.5" />
          </g>
        ))}
        <path
          className={css.cord}
          d="M153 86c-8 7-9 15 0 20 5 3 10 5 14 9 3 3 5 9 4 14-1 4-3 6-5 8M168 87c7 7 7 13-1 19-5 3-11 7-14 12-3 6-3 12 1 16M151 139c-6 6-5 14 1 17 7 4 17 1 19-6 2-6-1-12-6-13M152 87c4-6 12-7 16 0M152 156c-10 10-22 12-34 22-6 5-9 10-18 12"
        />
      </g>
    </>
  );
}
