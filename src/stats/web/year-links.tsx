import { LinksWithLeaders } from '../../kit/web/layout/links-with-leaders.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { paths } from '../../paths.ts';
import { useYears } from './queries.ts';

/** Links to the stories of the years; nothing while there is none. */
export function YearLinks() {
  const { data: years = [] } = useYears();
  if (years.length === 0) return null;
  return (
    <Section title="Year by Year">
      <LinksWithLeaders links={years.map(({ year }) => ({ href: paths.year(year), label: `Our year ${year}` }))} />
    </Section>
  );
}
