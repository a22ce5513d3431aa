import { z } from 'zod';
import { calls } from '../base/call.ts';
import { text } from '../base/schema.ts';

const choices = z.object({
  tomorrow: z.boolean(),
  starting: z.boolean(),
  howWasIt: z.boolean(),
  photographs: z.boolean(),
});

/** A key of a subscription: base64url. */
const key = (bytes: number) =>
  z.string().refine((raw) => /^[\w-]+=*$/.test(raw) && Math.floor((raw.replace(/=+$/, '').length * 3) / 4) === bytes, {
    error: 'This is no key of a push subscription',
  });

/** Reminders by Web Push (issue 5): what a user wants, and which devices are told. */
export const reminderCalls = calls({
  'GET /api/reminders': {
    summary: 'What this user is reminded of, and whether this device is told',
    reply: z.object({
      /** The server's VAPID key, base64url, for the browser's subscription. */
      publicKey: z.string(),
      choices,
      subscribed: z.boolean(),
    }),
  },
  'PUT /api/reminders': {
    summary: 'Choose what to be reminded of; what is absent stays',
    body: choices.partial(),
    reply: choices,
  },
  'PUT /api/reminders/device': {
    summary: "Tell this device, by its browser's push subscription",
    body: z.object({
      endpoint: text('The address', { max: 2000 }),
      /** A random id by which the browser is known when its user signs in again. */
      device: z.uuid({ error: 'device must be a UUID' }).nullish(),
      keys: z.object({ p256dh: key(65), auth: key(16) }),
    }),
    reply: null,
  },
  'DELETE /api/reminders/device': { summary: 'Tell this device no more', reply: null },
});
