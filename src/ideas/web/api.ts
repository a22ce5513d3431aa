import { createClient } from '../../base/web/net/api-client.ts';
import type { ideaCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const ideaApi = createClient<typeof ideaCalls>();
