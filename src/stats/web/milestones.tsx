import { DrawnBlankMedal } from '../../kit/web/album/drawn-blank-medal.tsx';
import { Medal } from '../../kit/web/album/medal.tsx';
import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { ProgressBar } from '../../kit/web/feedback/progress-bar.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import type { Achievement } from '../contract.ts';
import css from './chart.module.css';
import { MilestoneIcon } from './milestone-icon.tsx';

/** 'Love Milestones': all six once the first is earned, before that an empty state (stats.screen.11). */
export function Milestones({ milestones }: { milestones: readonly Achievement[] }) {
  const earned = milestones.filter(({ earnedAt }) => earnedAt !== null).length;
  return (
    <Section title="Love Milestones" aside={earned > 0 && `${earned} of ${milestones.length}`}>
      {earned === 0 ? (
        <EmptyState drawing={<DrawnBlankMedal />}>Our Journey Starts Here!</EmptyState>
      ) : (
        <ul className={css.milestones}>
          {milestones.map((milestone) => (
            <Milestone key={milestone.id} {...milestone} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Milestone({ id, icon, title, description, earnedAt, progress, target, unit }: Achievement) {
  const done = earnedAt !== null;
  return (
    <li className={css.milestone}>
      <Medal earned={done}>
        <MilestoneIcon id={id} icon={icon} />
      </Medal>
      <div>
        <div className={css.head}>
          <h3>{title}</h3>
          <span className="aside num">
            {progress} of {target} {target === 1 ? unit.slice(0, -1) : unit}
          </span>
        </div>
        <p>{description}</p>
        <ProgressBar label={title} value={progress} max={target} done={done} />
      </div>
    </li>
  );
}
