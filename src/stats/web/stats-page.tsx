import type { ReactNode } from 'react';
import { useUser } from '../../auth/web/session.ts';
import { folioText } from '../../auth/web/together.ts';
import { Async } from '../../base/web/async.tsx';
import { ErrorCard } from '../../base/web/ui/empty-state.tsx';
import { Loading } from '../../base/web/ui/loading.tsx';
import { Folio, Leaf, Page, Spread } from '../../base/web/ui/page.tsx';
import { Categories } from './categories.tsx';
import { FunFacts, Records } from './facts.tsx';
import { Milestones } from './milestones.tsx';
import { type StatsScreen, useStats } from './queries.ts';
import { Tiles } from './tiles.tsx';
import { TimeTrends } from './time-trends.tsx';

/** `/stats` (spec 2, Statistics): 'Our Love Story in Numbers'. */
export default function StatsPage() {
  return (
    <Async
      query={useStats()}
      loading={
        <Alone busy>
          <Loading message="Calculating our beautiful moments together..." size="large" />
        </Alone>
      }
      error={(_, retry) => (
        <Alone>
          <ErrorCard onRetry={retry}>Failed to load our beautiful statistics. Please try again.</ErrorCard>
        </Alone>
      )}
    >
      {(screen) => <Opened {...screen} />}
    </Async>
  );
}

function Title() {
  return (
    <h1 className="title">
      <span className="keep">Our Love Story</span> in Numbers
    </h1>
  );
}

function Alone({ children, busy }: { children: ReactNode; busy?: boolean }) {
  return (
    <Page busy={busy}>
      <Title />
      {children}
    </Page>
  );
}

function Opened({ stats, time, categories, favorite, milestones, records }: StatsScreen) {
  return (
    <Spread three>
      <Leaf part="first">
        <Title />
        <Tiles stats={stats} time={time} />
        <Categories categories={categories} />
      </Leaf>
      <Leaf part="second">
        <TimeTrends time={time} />
        <Milestones milestones={milestones} />
        <Records records={records} />
      </Leaf>
      <Leaf part="third">
        <FunFacts favorite={favorite} records={records} milestones={milestones} />
      </Leaf>
      <Folio>{folioText(useUser())}</Folio>
    </Spread>
  );
}
