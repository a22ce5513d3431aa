import type { Stats } from '../../stats/contract.ts';
import { LatestAchievement } from './latest-achievement.tsx';
import { YearAgo } from './year-ago.tsx';
import { YearOffer } from './year-offer.tsx';

/** The last part of the dashboard: what we reached, this year's story, and a date of an earlier year. */
export function LookBack({ stats: { recentAchievements } }: { stats: Stats }) {
  const [latest] = recentAchievements;
  return (
    <>
      {latest && <LatestAchievement achievement={latest} />}
      <YearOffer />
      <YearAgo />
    </>
  );
}
