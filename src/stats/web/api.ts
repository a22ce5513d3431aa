import { createClient } from '../../base/web/net/api-client.ts';
import type { dateCalls } from '../../dates/contract.ts';
import type { statsCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const statsApi = createClient<typeof statsCalls & typeof dateCalls>();
