import type { ComponentType } from 'react';
import { loadOnDemand } from '../../../base/web/net/load-on-demand.tsx';
import { queryClient } from '../queries/query-client.ts';
import { whenIdle } from '../start/when-idle.ts';
import type * as idleParts from './chunk-of-idle-parts.ts';

/** The longest time that optional parts wait for the page to be idle. */
const IDLE_TIMEOUT_MS = 3000;
const isBusy = () => queryClient.isFetching() > 0 || document.querySelector('main[aria-busy]') !== null;

/** Returns a part of `chunk-of-idle-parts.ts`, which loads once the page is idle. */
function whenPageIsIdle<P extends object>(choose: (parts: typeof idleParts) => ComponentType<P>): ComponentType<P> {
  return loadOnDemand(async () => {
    await whenIdle(isBusy, IDLE_TIMEOUT_MS);
    return choose(await import('./chunk-of-idle-parts.ts'));
  });
}

export const IdleFloatingHearts = whenPageIsIdle((parts) => parts.FloatingHearts);
export const IdlePageNotices = whenPageIsIdle((parts) => parts.PageNotices);
export const IdleSignedInNotices = whenPageIsIdle((parts) => parts.SignedInNotices);
