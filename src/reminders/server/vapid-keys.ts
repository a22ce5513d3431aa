import type { Config } from '../../base/server/config.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';

/** The server's own keys, by which push services know that it is always the same who sends (VAPID). base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** One row for all nodes. */
const ID = 'vapid';

/** The keys, made at the first start: of several nodes that start at once, the first one's are everybody's. */
export async function vapidKeys({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<VapidKeys> {
  const kept = await read(db.read);
  if (kept) return kept;
  const { default: webPush } = await import('web-push');
  return db.write(async (tx) => {
    await insert(tx, webPush.generateVAPIDKeys(), now());
    const keys = await read(tx);
    if (!keys) throw new Error('The push keys could not be kept');
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

/** Whom a push service may write to about us: our public address, where we have one. */
export function subjectOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl?.startsWith('https:') ? publicUrl : 'mailto:nobody@our-love-story.invalid';
}
