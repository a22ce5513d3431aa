import { useState } from 'react';
import { loadOnDemand } from '../../base/web/net/load-on-demand.tsx';
import type { PlannedDate } from '../../dates/contract.ts';
import { NextDateSection } from './next-date-section.tsx';

/**
 * Loaded only for surprises. It takes over once there is one, because it unwraps it when its time has come. Until it is
 * loaded, the ticket shows what the server knows about it.
 */
const NextSurprise = loadOnDemand(() => import('./next-surprise.tsx').then((module) => module.NextSurprise), {
  loading: NextDateSection,
});

/** The next date with its countdown, or a link to add an idea. */
export function NextDateOrSurprise({ date }: { date: PlannedDate | null }) {
  const [isSecret, setSecret] = useState(false);
  if (date?.surprise && !isSecret) setSecret(true);
  return isSecret ? <NextSurprise date={date} /> : <NextDateSection date={date} />;
}
