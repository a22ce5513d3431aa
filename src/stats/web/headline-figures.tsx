import type { ReactNode } from 'react';
import { withUnits } from '../../kit/web/layout/figures.tsx';
import { averageText, datesText, memoriesText, totalText } from '../total-texts.ts';
import css from './headline-figures.module.css';
import type { StatsScreen } from './queries.ts';

/** The four large figures at the top (stats.screen.2). */
export function HeadlineFigures({ stats, time }: Pick<StatsScreen, 'stats' | 'time'>) {
  return (
    <dl className={css.headlines}>
      <Headline name="Total time" figure={withUnits(totalText(stats.totalMinutes))} description="total time together" />
      <Counted name="Dates" text={datesText(stats.totalCompletedDates)} />
      <Counted name="Memories" text={memoriesText(stats.totalMemories)} />
      <Headline
        name="Average"
        figure={withUnits(averageText(time.averageMinutes))}
        description="average date duration"
      />
    </dl>
  );
}

function Headline({ name, figure, description }: { name: string; figure: ReactNode; description: string }) {
  return (
    <div>
      <dt className="visually-hidden">{name}</dt>
      <dd>
        <span className={css.figure}>{figure}</span> <span className={css.description}>{description}</span>
      </dd>
    </div>
  );
}

/** Splits '23 beautiful dates' into a large number and its description; 'No dates yet' has no number. */
function Counted({ name, text }: { name: string; text: string }) {
  const [, number, description = text] = /^(\d+) (.*)$/.exec(text) ?? [];
  return <Headline name={name} figure={number ?? '–'} description={description} />;
}
