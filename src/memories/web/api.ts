import { client } from '../../base/web/net/client.ts';
import type { memoryCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const memoryApi = client<typeof memoryCalls>();
