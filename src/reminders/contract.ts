import { z } from 'zod';
import { defineCalls } from '../base/call.ts';
import { text } from '../base/schema.ts';

const choices = z.object({
  tomorrow: z.boolean(),
  starting: z.boolean(),
  howWasIt: z.boolean(),
  photographs: z.boolean(),
  notes: z.boolean(),
});

/** A key of a subscription: base64url. */
const key = (bytes: number) =>
  z.string().refine((raw) => /^[\w-]+=*$/.test(raw) && Math.floor((raw.replace(/=+$/, '').length * 3) / 4) === bytes, {
    error: 'This is not a push subscription key',
  });

/** Reminders by Web Push: what a user wants, and which devices are subscribed. */
export const reminderCalls = defineCalls({
  'GET /api/reminders': {
    summary: 'The user’s choices, and whether this device is subscribed',
    reply: z.object({
      /** The server's VAPID key, base64url, for the browser's subscription. */
      publicKey: z.string(),
      choices,
      subscribed: z.boolean(),
    }),
  },
  'PUT /api/reminders': {
    summary: 'Change the user’s choices; absent ones stay',
    body: choices.partial(),
    reply: choices,
  },
  'PUT /api/reminders/device': {
    summary: 'Subscribe this device',
    body: z.object({
      endpoint: text('The address', { max: 2000 }),
      /** A random id that identifies the browser across sessions. */
      device: z.uuid({ error: 'device must be a UUID' }).nullish(),
      keys: z.object({ p256dh: key(65), auth: key(16) }),
    }),
    reply: null,
  },
  'DELETE /api/reminders/device': { summary: 'Unsubscribe this device', reply: null },
});
