import { Medal } from '../../kit/web/album/medal.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import type { Achievement } from '../../stats/contract.ts';
import { MilestoneIcon } from '../../stats/web/milestone-icon.tsx';
import css from './latest-achievement.module.css';

/** The card of the latest milestone. */
export function LatestAchievement({ achievement: { id, icon, title, description } }: { achievement: Achievement }) {
  return (
    <Section title="Latest Achievement">
      <div className={css.achievement}>
        <Medal earned large>
          <MilestoneIcon id={id} icon={icon} />
        </Medal>
        <div>
          <h3>{title}</h3>
          <p>{description}</p>
        </div>
      </div>
    </Section>
  );
}
