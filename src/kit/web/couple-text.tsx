import type { ReactNode } from 'react';
import { loadOnDemand } from '../../base/web/net/load-on-demand.tsx';
import { Marked } from './marked.tsx';

const LinkedText = loadOnDemand<{ children: string }>(
  () => import('./linked-text.tsx').then((part) => part.LinkedText),
  {
    loading: Marked,
    failed: Marked,
  },
);

/** A text of the couple in which web addresses are links. Not for the inside of another link. */
export function CoupleText({ children }: { children: string }): ReactNode {
  return /https?:/i.test(children) ? <LinkedText>{children}</LinkedText> : <Marked>{children}</Marked>;
}
