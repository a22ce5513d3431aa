import { createClient } from '../../base/web/net/api-client.ts';
import type { dateCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const dateApi = createClient<typeof dateCalls>();
