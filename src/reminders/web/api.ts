import { createClient } from '../../base/web/net/api-client.ts';
import type { reminderCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const reminderApi = createClient<typeof reminderCalls>();
