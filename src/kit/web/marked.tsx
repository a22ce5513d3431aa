import { createContext, type ReactNode, use } from 'react';

const Marking = createContext<(text: string) => ReactNode>((text) => text);

/** Marks words in the texts below it: `<MarkingProvider value={(text) => …}>`. */
export const MarkingProvider = Marking.Provider;

/** A text of the couple. The search marks its words. */
export function Marked({ children }: { children: string }): ReactNode {
  return use(Marking)(children);
}
