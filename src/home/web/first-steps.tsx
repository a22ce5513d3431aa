import { useDates } from '../../dates/web/queries.ts';
import { Contents } from '../../kit/web/layout/contents.tsx';
import { paths } from '../../paths.ts';

const PAST = { href: paths.pastDate, label: 'Add a Past Date' };
const FIRST_STEPS = [
  { href: paths.ideas, label: 'Plan a date' },
  PAST,
  { href: paths.upload, label: 'Bring your photographs' },
];

/** Where a couple without any date begins (home.dashboard.22), and the link to add a past date for every couple. */
export function FirstSteps() {
  const { data } = useDates();
  if (data === undefined) return null;
  return <Contents links={data.length === 0 ? FIRST_STEPS : [PAST]} />;
}
