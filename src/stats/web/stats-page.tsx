import type { ReactNode } from 'react';
import { folioText } from '../../auth/web/couple/folio-text.ts';
import { useUser } from '../../auth/web/session/use-session.ts';
import { QueryContent } from '../../base/web/queries/query-content.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { Folio } from '../../kit/web/layout/folio.tsx';
import { Leaf } from '../../kit/web/layout/leaf.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { Spread } from '../../kit/web/layout/spread.tsx';
import { Categories } from './categories.tsx';
import { FunFacts } from './fun-facts.tsx';
import { HeadlineFigures } from './headline-figures.tsx';
import { Milestones } from './milestones.tsx';
import { type StatsScreen, useStats } from './queries.ts';
import { Records } from './records.tsx';
import { TimeTrends } from './time-trends.tsx';
import { YearLinks } from './year-links.tsx';

/** The statistics, `/stats`. */
export default function StatsPage() {
  return (
    <QueryContent
      query={useStats(useUser().couple.timeZone)}
      loading={
        <TitlePage busy>
          <Loading message="Calculating our beautiful moments together..." size="large" />
        </TitlePage>
      }
      error={(_, retry) => (
        <TitlePage>
          <ErrorCard onRetry={retry}>Failed to load our beautiful statistics. Please try again.</ErrorCard>
        </TitlePage>
      )}
    >
      {(screen) => <StatsContent {...screen} />}
    </QueryContent>
  );
}

function Title() {
  return (
    <h1 className="title">
      <span className="keep">Our Love Story</span> in Numbers
    </h1>
  );
}

function TitlePage({ children, busy }: { children: ReactNode; busy?: boolean }) {
  return (
    <Page busy={busy}>
      <Title />
      {children}
    </Page>
  );
}

function StatsContent({ stats, time, categories, favorite, milestones, records, began }: StatsScreen) {
  return (
    <Spread parts>
      <Leaf part="first">
        <Title />
        <HeadlineFigures stats={stats} time={time} />
        <Categories categories={categories} />
      </Leaf>
      <Leaf part="second">
        <TimeTrends time={time} />
        <Milestones milestones={milestones} />
        <Records records={records} began={began} />
      </Leaf>
      <Leaf part="third">
        <FunFacts favorite={favorite} records={records} milestones={milestones} />
        <YearLinks />
      </Leaf>
      <Folio>{folioText(useUser())}</Folio>
    </Spread>
  );
}
