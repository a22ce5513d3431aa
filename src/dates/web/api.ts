import { client } from '../../base/web/net/client.ts';
import type { dateCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const dateApi = client<typeof dateCalls>();
