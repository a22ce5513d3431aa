import { dayOf } from '../../base/instants.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { Section } from '../../kit/web/layout/section.tsx';
import { TextLink } from '../../kit/web/layout/text-link.tsx';
import { paths } from '../../paths.ts';
import { useYears } from '../../stats/web/queries.ts';
import { yearOnOffer } from '../../stats/year-on-offer.ts';

/** Offers the story of the year, from December 10 on (home.dashboard.20). */
export function YearOffer() {
  const year = yearOnOffer(dayOf(useNow(), deviceZone()));
  const { data: years = [] } = useYears(year !== null);
  if (year === null || !years.some((one) => one.year === year)) return null;
  return (
    <Section title={`Our year ${year}`}>
      <p className="felt">Everything we kept of it, page by page.</p>
      <p>
        <TextLink href={paths.year(year)}>Open our year</TextLink>
      </p>
    </Section>
  );
}
