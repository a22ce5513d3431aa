import { createContext, type ReactNode, use } from 'react';
import { onDemand } from '../../base/web/net/on-demand.tsx';

const Marking = createContext<(text: string) => ReactNode>((text) => text);

/** Marks words in the texts below it: `<MarkingProvider value={(text) => …}>`. */
export const MarkingProvider = Marking.Provider;

/** A text of the couple. The search marks its words. */
export function Marked({ children }: { children: string }): ReactNode {
  return use(Marking)(children);
}

const LinkedText = onDemand<{ children: string }>(() => import('./linked-text.tsx').then((part) => part.LinkedText), {
  loading: Marked,
  failed: Marked,
});

/** A text of the couple in which web addresses are links. Not for the inside of another link. */
export function WrittenText({ children }: { children: string }): ReactNode {
  return /https?:/i.test(children) ? <LinkedText>{children}</LinkedText> : <Marked>{children}</Marked>;
}
