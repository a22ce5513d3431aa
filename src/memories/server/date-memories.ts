import type { MemoriesOfDates } from '../../dates/server/memories-of-dates.ts';
import { countByDate } from './count-store.ts';
import { placeMemoriesOf } from './place-memories.ts';
import { trashWithDate } from './store.ts';

/** What the `dates` slice needs from memories. `app` passes it in. */
export const dateMemories: MemoriesOfDates = { countByDate, trashWithDate, placeMemoriesOf };
