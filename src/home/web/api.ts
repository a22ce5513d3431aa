import { createClient } from '../../base/web/net/api-client.ts';
import type { dateCalls } from '../../dates/contract.ts';
import type { memoryCalls } from '../../memories/contract.ts';
import type { statsCalls } from '../../stats/contract.ts';
import type { homeCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const homeApi = createClient<typeof statsCalls & typeof dateCalls & typeof memoryCalls & typeof homeCalls>();
