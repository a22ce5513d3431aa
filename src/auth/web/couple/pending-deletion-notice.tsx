import { useEffect } from 'react';
import { Link } from 'wouter';
import { longDate } from '../../../base/date-formats.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { paths } from '../../../paths.ts';
import type { User } from '../../contract.ts';
import { useDeletion } from '../queries.ts';
import { expectFarewell } from './farewell.ts';
import css from './pending-deletion-notice.module.css';

/** The notice of a pending deletion, on every screen of the partner who did not ask for it (decision 17). */
export function PendingDeletionNotice({ user }: { user: User }) {
  const { data: request } = useDeletion();
  useEffect(() => {
    if (request !== undefined) expectFarewell(request && 'asked');
  }, [request]);
  if (!request || request.askedBy.id === user.id) return null;
  return (
    <p className={css.notice} role="status">
      <bdi>{request.askedBy.displayName}</bdi> has asked to delete our space. On{' '}
      {longDate(Date.parse(request.dueAt), deviceZone())} everything here will be gone, for both of us.{' '}
      <Link href={paths.settings}>See the settings</Link>
    </p>
  );
}
