import type { Stats } from '../../stats/contract.ts';
import { LatestAchievement } from './latest-achievement.tsx';
import { YearOffer } from './year-offer.tsx';

/** Loaded with `LookBack`, as one file. */
export { YearAgo } from './year-ago.tsx';

/** What follows the quick actions: what we reached, and this year's story. */
export function LookBack({ stats: { recentAchievements } }: { stats: Stats }) {
  const [latest] = recentAchievements;
  return (
    <>
      {latest && <LatestAchievement achievement={latest} />}
      <YearOffer />
    </>
  );
}
