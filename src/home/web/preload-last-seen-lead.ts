import { findLastSeen } from '../../base/web/storage/last-seen.ts';
import { DASHBOARD_KEY, type Dashboard } from './fetch-dashboard.ts';

/** Starts loading the first photograph of the dashboard as this user last saw it. */
export function preloadLastSeenLead(userId: string): void {
  // The hash of the query's key.
  const seen = findLastSeen(userId, JSON.stringify(DASHBOARD_KEY));
  const [lead] = (seen?.data as Dashboard | undefined)?.memories ?? [];
  if (!lead) return;
  const image = new Image();
  image.fetchPriority = 'high';
  image.src = lead.previewUrl;
}
