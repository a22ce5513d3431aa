import { Link, useLocation } from 'wouter';
import { findAllDateWords } from '../../../date-mode/web/date-words.ts';
import { useKeptOnDevice } from '../../../kit/web/feedback/use-kept-on-device.ts';
import { paths } from '../../../paths.ts';

/** Says on every screen which words of date mode the server refuses. Date mode itself shows them. */
export function RefusedDateWordsNotice({ owner }: { owner: string }) {
  const [path] = useLocation();
  return useKeptOnDevice(findAllDateWords, owner)
    .filter(({ isRefused, dateId }) => isRefused && paths.dateNow(dateId) !== path)
    .map(({ dateId, title }) => (
      <p key={dateId}>
        What you typed during ‘{title}’ could not be saved, and is still on this device.{' '}
        <Link href={paths.dateNow(dateId)}>See what you typed</Link>
      </p>
    ));
}
