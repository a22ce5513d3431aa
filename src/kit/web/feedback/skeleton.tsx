import type { ReactNode } from 'react';
import print from '../album/print.module.css';
import { cx } from '../cx.ts';
import { Grid } from '../layout/grid.tsx';
import css from './skeleton.module.css';

export interface SkeletonProps {
  /** The message for screen readers. */
  message: string;
  /** How many placeholders to draw. */
  count?: number;
}

const widths = [css.short, css.title, css.mid, css.short, css.mid, css.button];
/** The aspect ratios of the placeholder photographs. */
const ratios = ['1.5', '0.75', '1.33', '0.93', '1.78', '0.62', '1.33', '1.5'];

function SkeletonFrame({ message, children }: { message: string; children: ReactNode }) {
  return (
    <div role="status">
      <span className="visually-hidden">{message}</span>
      <div className={css.skeleton} aria-hidden="true">
        {children}
      </div>
    </div>
  );
}

/** Placeholders for a list of planned dates. */
export function TicketSkeletons({ message, count = 4 }: SkeletonProps) {
  return (
    <SkeletonFrame message={message}>
      <Grid>
        {Array.from({ length: count }, (_, n) => (
          <li key={n}>
            <div className={css.ticket}>
              <div className={css.stub}>
                <i className={css.bar} />
                <i className={cx(css.bar, css.day)} />
                <i className={css.bar} />
              </div>
              <div className={css.body}>
                {widths.map((width, line) => (
                  <i key={line} className={cx(css.bar, width)} />
                ))}
              </div>
            </div>
          </li>
        ))}
      </Grid>
    </SkeletonFrame>
  );
}

/** Placeholders for a list of ideas. */
export function IndexCardSkeletons({ message, count = 6 }: SkeletonProps) {
  return (
    <SkeletonFrame message={message}>
      <Grid three>
        {Array.from({ length: count }, (_, n) => (
          <li key={n}>
            <div className={css.card}>
              <i className={css.tab} />
              <i className={cx(css.bar, css.title)} />
              <div className={css.rule} />
              <i className={css.bar} />
              <i className={cx(css.bar, css.mid)} />
              <i className={cx(css.bar, css.short)} />
              <i className={cx(css.bar, css.button)} />
            </div>
          </li>
        ))}
      </Grid>
    </SkeletonFrame>
  );
}

/** Placeholders for rows of photographs. */
export function PrintSkeletons({ message, count = 5 }: SkeletonProps) {
  return (
    <SkeletonFrame message={message}>
      <div className={print.rows}>
        {Array.from({ length: count }, (_, n) => (
          <div key={n} className={print.print} style={{ '--ar': ratios[n % ratios.length] }}>
            <span className={css.photo} />
            <div className={css.note}>
              <i className={cx(css.bar, css.mid)} />
            </div>
          </div>
        ))}
      </div>
    </SkeletonFrame>
  );
}
