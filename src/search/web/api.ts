import { createClient } from '../../base/web/net/api-client.ts';
import type { searchCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const searchApi = createClient<typeof searchCalls>();
