import { createContext, use } from 'react';
import type { OwnAndOthers } from '../../../base/web/storage/count-unsent.ts';

/** Counts the unsent camera shots of a user and of other users of this device. Throws if they can't be counted. */
export type UnsentShotsCounter = (userId: string) => Promise<OwnAndOthers>;

const UnsentShotsContext = createContext<UnsentShotsCounter>(() => Promise.reject(new Error('No counter is provided')));

/** The slot for what counts unsent shots. `app` fills it. */
export const UnsentShotsProvider = UnsentShotsContext.Provider;

/** What counts unsent shots. */
export function useUnsentShotsCounter(): UnsentShotsCounter {
  return use(UnsentShotsContext);
}
