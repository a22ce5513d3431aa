import { createClient } from '../../base/web/net/api-client.ts';
import type { memoryCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const memoryApi = createClient<typeof memoryCalls>();
