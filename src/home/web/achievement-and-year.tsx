import type { Stats } from '../../stats/contract.ts';
import { LatestAchievement } from './latest-achievement.tsx';
import { YearOffer } from './year-offer.tsx';

// In the same chunk, so that the dashboard loads both at once.
export { YearAgo } from './year-ago.tsx';

/** What follows the quick actions: the latest achievement, and this year's story at its end. */
export function AchievementAndYear({ stats: { recentAchievements } }: { stats: Stats }) {
  const [latest] = recentAchievements;
  return (
    <>
      {latest && <LatestAchievement achievement={latest} />}
      <YearOffer />
    </>
  );
}
