import { createClient } from '../../base/web/net/api-client.ts';
import type { uploadCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const uploadApi = createClient<typeof uploadCalls>();
