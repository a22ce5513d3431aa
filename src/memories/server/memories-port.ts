import type { MemoriesOfDates } from '../../dates/server/memories-of-dates.ts';
import { countByDate } from './count-store.ts';
import { trashWithDate } from './store.ts';
import { updateHappenedAtOf } from './update-happened-at.ts';

/** What the `dates` slice needs from memories. `app` passes it in. */
export const memoriesPort: MemoriesOfDates = { countByDate, trashWithDate, updateHappenedAtOf };
