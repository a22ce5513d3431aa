import { Link, useLocation } from 'wouter';
import { findAllDateWords } from '../../../date-mode/web/date-words.ts';
import { useKept } from '../../../kit/web/feedback/outbox-list.tsx';
import { paths } from '../../../paths.ts';

/** What every screen says about the notes of date mode that the server refuses. Date mode itself shows the words. */
export function RefusedNotes({ owner }: { owner: string }) {
  const [path] = useLocation();
  return useKept(findAllDateWords, owner)
    .filter(({ isRefused }) => isRefused)
    .map(({ dateId, title }) => ({ dateId, title, href: paths.dateNow(dateId) }))
    .filter(({ href }) => href !== path)
    .map(({ dateId, title, href }) => (
      <p key={dateId}>
        What you typed during ‘{title}’ could not be saved, and is still on this device.{' '}
        <Link href={href}>See the words</Link>
      </p>
    ));
}
