import { hashOfSecret } from '../../auth/server/secrets.ts';
import { assertSignedIn } from '../../auth/server/session/sessions.ts';
import { invalidField } from '../../base/refusal.ts';
import type { Routes } from '../../base/server/calls/route-types.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { reminderCalls } from '../contract.ts';
import { isAllowedEndpoint } from './allowed-endpoint.ts';
import { readChoices, saveChoices } from './choice-store.ts';
import { deleteDevice, isSubscribed, saveDevice } from './push-device-store.ts';
import { readOrCreateVapidKeys } from './vapid-keys.ts';

/** The routes of reminders: choices and the device's subscription. */
export function reminderRoutes(deps: Deps): Routes<typeof reminderCalls> {
  const { db } = deps;
  return {
    'GET /api/reminders': async ({ session }) => {
      const { coupleId, userId } = session;
      const { publicKey } = await readOrCreateVapidKeys(deps);
      return {
        publicKey,
        choices: await readChoices(db.read, coupleId, userId),
        subscribed: await isSubscribed(db.read, coupleId, session),
      };
    },

    'PUT /api/reminders': async ({ body, session: { coupleId, userId } }) =>
      db.write(async (tx) => {
        await saveChoices(tx, coupleId, userId, body);
        return readChoices(tx, coupleId, userId);
      }),

    'PUT /api/reminders/device': async ({ body: { endpoint, keys, device }, session, now }) => {
      if (!isAllowedEndpoint(endpoint, deps.localPush === true)) {
        throw invalidField('endpoint', 'This is not the address of a push service.');
      }
      const known = { endpoint, ...keys, device: device ?? hashOfSecret(endpoint) };
      await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        await saveDevice(tx, session.coupleId, session, known, now);
      });
      return null;
    },

    'DELETE /api/reminders/device': async ({ session }) => {
      await db.write((tx) => deleteDevice(tx, session.coupleId, session));
      return null;
    },
  };
}
