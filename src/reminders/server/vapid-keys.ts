import type { Reader } from '../../base/server/db/db.ts';
import { readOrCreate } from '../../base/server/db/read-or-create.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Config } from '../../base/server/process/config.ts';

/** The server's VAPID keys, which identify it to push services. base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** All nodes share one row. */
const ID = 'vapid';

/** Reads the keys. The first call of a new database creates them. */
export function readOrCreateVapidKeys({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<VapidKeys> {
  return readOrCreate(db, read, async (tx) => {
    const { default: webPush } = await import('web-push');
    await tx
      .insertInto('vapidKeys')
      .values({ id: ID, ...webPush.generateVAPIDKeys(), createdAt: now() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  });
}

function read(reader: Reader): Promise<VapidKeys | undefined> {
  return reader.selectFrom('vapidKeys').select(['publicKey', 'privateKey']).where('id', '=', ID).executeTakeFirst();
}

/** The contact address for push services: the public URL, if there is one. */
export function subjectOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl?.startsWith('https:') ? publicUrl : 'mailto:nobody@our-love-story.invalid';
}
