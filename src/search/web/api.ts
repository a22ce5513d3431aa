import { client } from '../../base/web/net/client.ts';
import type { searchCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const searchApi = client<typeof searchCalls>();
