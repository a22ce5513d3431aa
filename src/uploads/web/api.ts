import { client } from '../../base/web/net/client.ts';
import type { uploadCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const uploadApi = client<typeof uploadCalls>();
