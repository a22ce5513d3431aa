import { client } from '../../base/web/net/client.ts';
import type { reminderCalls } from '../contract.ts';

/** Makes the calls that the page of this slice needs. */
export const reminderApi = client<typeof reminderCalls>();
