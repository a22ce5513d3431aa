import { type ComponentType, createContext, use } from 'react';
import type { PlannedDate } from '../contract.ts';

/** The slots that the memories slice fills on the screens of dates. `app` provides them. */
export interface MemoryFeatures {
  /**
   * The memories card of the details page: heading, count, the first six and 'View All', or the empty state with
   * 'Add First Memory' if `canAdd`.
   */
  readonly Memories: ComponentType<{ date: PlannedDate; canAdd: boolean }>;
  /** Restores a deleted date with its memories, for 'Undo', and shows an alert if it can't. */
  readonly restore: (dateId: string) => void;
}

const MemoryFeaturesContext = createContext<MemoryFeatures | null>(null);

/** Wraps the screens: `<MemoryFeaturesProvider value={…}>`. */
export const MemoryFeaturesProvider = MemoryFeaturesContext.Provider;

/** The slots, or null without a provider. The screens then omit them. */
export function useMemoryFeatures(): MemoryFeatures | null {
  return use(MemoryFeaturesContext);
}
