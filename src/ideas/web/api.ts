import { client } from '../../base/web/net/client.ts';
import type { ideaCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const ideaApi = client<typeof ideaCalls>();
