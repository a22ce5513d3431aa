import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { folioText } from '../../auth/web/couple/folio-text.ts';
import { useUser } from '../../auth/web/session/use-session.ts';
import { useCanInstall } from '../../base/web/device/use-can-install.ts';
import { loadOnDemand } from '../../base/web/net/load-on-demand.tsx';
import { QueryContent } from '../../base/web/queries/query-content.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { Figures, withUnits } from '../../kit/web/layout/figures.tsx';
import { Folio } from '../../kit/web/layout/folio.tsx';
import { Leaf } from '../../kit/web/layout/leaf.tsx';
import { LinksWithLeaders } from '../../kit/web/layout/links-with-leaders.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { Spread } from '../../kit/web/layout/spread.tsx';
import { paths } from '../../paths.ts';
import type { Stats } from '../../stats/contract.ts';
import { totalText } from '../../stats/total-texts.ts';
import css from './dashboard.module.css';
import type { Dashboard } from './fetch-dashboard.ts';
import { LazyMessageRotation } from './lazy-message-rotation.tsx';
import { NextDateOrSurprise } from './next-date-or-surprise.tsx';
import { useDashboard } from './queries.ts';
import { RecentMemories } from './recent-memories.tsx';

/** Loaded only while a date is in progress. */
const RunningDates = loadOnDemand(() => import('./running-dates.tsx').then((module) => module.RunningDates), {
  loading: () => <div className={css.running} />,
});
/** Parts below the fold load later, so that they don't delay the first page. */
const AchievementAndYear = loadOnDemand(() =>
  import('./achievement-and-year.tsx').then((module) => module.AchievementAndYear),
);
const YearAgo = loadOnDemand(() => import('./achievement-and-year.tsx').then((module) => module.YearAgo));
/** Loaded only if the app can be installed. */
const InstallApp = loadOnDemand(() => import('./install-app.tsx').then((module) => module.InstallApp));

const QUICK_ACTIONS = [
  { href: paths.addIdea, label: 'Add Date Idea' },
  { href: paths.ideas, label: 'Browse Ideas' },
  { href: paths.memories, label: 'View Memories' },
];

/** Until the partner has joined. */
const INVITE = [{ href: paths.settings, label: 'Make a Link or a QR Code' }];

/** The dashboard, `/dashboard`. */
export default function DashboardPage() {
  return (
    <QueryContent
      query={useDashboard()}
      loading={
        <TitlePage busy>
          <Loading message="Loading our love story..." size="large" />
        </TitlePage>
      }
      error={(_, retry) => (
        <TitlePage>
          <ErrorCard onRetry={retry}>Failed to load dashboard. Please try again.</ErrorCard>
        </TitlePage>
      )}
    >
      {(dashboard) => <DashboardContent {...dashboard} />}
    </QueryContent>
  );
}

/** The title with the loading state or the error. */
function TitlePage({ children, busy }: { children: ReactNode; busy?: boolean }) {
  return (
    <Page busy={busy}>
      <h1 className="title title-cover">Our Love Story</h1>
      {children}
    </Page>
  );
}

function DashboardContent({ stats, next, running, memories }: Dashboard) {
  const user = useUser();
  const canInstall = useCanInstall();
  return (
    <Spread parts>
      <Leaf part="first">
        <h1 className="title title-cover">Our Love Story</h1>
        <LazyMessageRotation you={user.displayName} partner={user.partner?.displayName ?? null} />
        {running[0] && <RunningDates dates={running} />}
        {user.partner === null && (
          <Section title="Invite Your Partner">
            <LinksWithLeaders links={INVITE} />
          </Section>
        )}
        <NextDateOrSurprise date={next} />
      </Leaf>
      <Leaf part="second">
        <RecentMemories memories={memories} total={stats.totalMemories} hasNextDate={next !== null} />
        <OurFigures stats={stats} />
      </Leaf>
      <Leaf part="third">
        <Section title="Quick Actions">
          <LinksWithLeaders links={QUICK_ACTIONS} />
          {canInstall && <InstallApp />}
        </Section>
        <AchievementAndYear stats={stats} />
      </Leaf>
      <Leaf part="fourth">
        <YearAgo />
      </Leaf>
      <Folio>{folioText(user)}</Folio>
    </Spread>
  );
}

/** The card with the headline figures, which links to the statistics. */
function OurFigures({ stats }: { stats: Stats }) {
  return (
    <Link href={paths.stats} className={css.figures}>
      <Figures
        items={[
          { label: 'Time Together', value: withUnits(totalText(stats.totalMinutes)) },
          { label: 'Dates Completed', value: stats.totalCompletedDates },
          { label: 'Memories Created', value: stats.totalMemories },
        ]}
      />
    </Link>
  );
}
