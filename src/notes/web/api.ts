import { createClient } from '../../base/web/net/api-client.ts';
import type { noteCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const noteApi = createClient<typeof noteCalls>();
