import { client } from '../../base/web/net/client.ts';
import type { noteCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const noteApi = client<typeof noteCalls>();
