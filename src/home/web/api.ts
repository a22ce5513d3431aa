import { client } from '../../base/web/net/client.ts';
import type { dateCalls } from '../../dates/contract.ts';
import type { memoryCalls } from '../../memories/contract.ts';
import type { statsCalls } from '../../stats/contract.ts';
import type { homeCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const homeApi = client<typeof statsCalls & typeof dateCalls & typeof memoryCalls & typeof homeCalls>();
