import type { Config } from '../../base/server/config.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';

/** The server's VAPID keys, which identify it to push services. base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** All nodes share one row. */
const ID = 'vapid';

/** Returns the keys and creates them at the first start. If several nodes start at once, the first one's keys win. */
export async function vapidKeys({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<VapidKeys> {
  const kept = await read(db.read);
  if (kept) return kept;
  const { default: webPush } = await import('web-push');
  return db.write(async (tx) => {
    await insert(tx, webPush.generateVAPIDKeys(), now());
    const keys = await read(tx);
    if (!keys) throw new Error('The push keys could not be saved');
    return keys;
  });
}

function read(reader: Reader): Promise<VapidKeys | undefined> {
  return reader.selectFrom('vapidKeys').select(['publicKey', 'privateKey']).where('id', '=', ID).executeTakeFirst();
}

async function insert(tx: Writer, keys: VapidKeys, createdAt: number): Promise<void> {
  await tx
    .insertInto('vapidKeys')
    .values({ id: ID, ...keys, createdAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/** The contact address for push services: the public URL, if there is one. */
export function subjectOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl?.startsWith('https:') ? publicUrl : 'mailto:nobody@our-love-story.invalid';
}
