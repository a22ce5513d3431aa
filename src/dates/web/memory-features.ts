import { type ComponentType, createContext, use } from 'react';
import type { PlannedDate } from '../contract.ts';

/** What the memories, which stand to the right, put on the screens of dates; `app` fills it. */
export interface MemoryFeatures {
  /**
   * The memories card of the details (spec 2): heading, count, the first six, 'View All', or that there are none yet
   * with 'Add First Memory' where `canAdd`.
   */
  readonly Memories: ComponentType<{ date: PlannedDate; canAdd: boolean }>;
  /** Puts a deleted date back, with its memories: 'Undo'. Rejects where that is not possible any more. */
  readonly restore: (dateId: string) => Promise<unknown>;
}

const MemoryFeaturesContext = createContext<MemoryFeatures | null>(null);

/** To be put around the screens: `<MemoryFeaturesProvider value={…}>`. */
export const MemoryFeaturesProvider = MemoryFeaturesContext.Provider;

/** Null where nobody has filled them: the screens then do without. */
export function useMemoryFeatures(): MemoryFeatures | null {
  return use(MemoryFeaturesContext);
}
