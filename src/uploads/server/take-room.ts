import { Refusal } from '../../base/refusal.ts';
import { isKnownKey } from '../../base/server/calls/idempotency.ts';
import type { Session } from '../../base/server/calls/session.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { Viewer } from '../../base/server/visibility.ts';
import { readAsVisible } from '../../dates/server/visibility-store.ts';
import { spaceFullText } from '../../memories/quota-text.ts';
import { addBytes, readOwnQuota, readVisibleBytes } from '../../memories/server/quota/kept-bytes.ts';
import { quotaOf } from '../../memories/server/quota/quota.ts';

type QuotaDeps = Pick<Deps, 'config' | 'now'>;

/**
 * Takes room for a photograph in the transaction that saves it (uploads.quota.1). Uploads at the same time take it one after
 * the other, so that together they never pass the quota.
 * @throws Refusal 507 if the quota would be passed
 */
export async function takeRoom(deps: QuotaDeps, tx: Writer, viewer: Viewer, bytes: number): Promise<void> {
  const { photoBytes, quotaBytes } = await addBytes(tx, viewer.coupleId, bytes);
  const quota = quotaOf(quotaBytes, deps.config.quotaBytes);
  if (quota !== null && (photoBytes ?? 0) > quota) throw await spaceFull(deps, tx, viewer, quota);
}

/**
 * Refuses a photograph before its bytes arrive if its size alone passes what is left. A request whose key has saved one
 * already is answered by that (wire.retrying.1).
 * @param key the upload's `Idempotency-Key`, or null
 * @throws Refusal 507
 */
export async function assertRoom(
  deps: QuotaDeps & Pick<Deps, 'db'>,
  session: Session,
  bytes: number,
  key: string | null,
): Promise<void> {
  const { read } = deps.db;
  const couple = await readOwnQuota(read, session.coupleId);
  const quota = quotaOf(couple?.quotaBytes ?? null, deps.config.quotaBytes);
  // What isn't counted yet is counted when the photograph is saved.
  if (quota === null || (couple?.photoBytes ?? 0) + bytes <= quota) return;
  if (key === null || !(await isKnownKey(read, { coupleId: session.coupleId, key })))
    throw await spaceFull(deps, read, session, quota);
}

/** What a partner uses of the space, as far as they may know, and the limit; `quotaBytes` is null for none. */
export async function readUsedSpace(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  viewer: Viewer,
): Promise<{ readonly usedBytes: number; readonly quotaBytes: number | null }> {
  const couple = await readOwnQuota(db.read, viewer.coupleId);
  return {
    usedBytes: await usedBy(db.read, viewer, now()),
    quotaBytes: quotaOf(couple?.quotaBytes ?? null, config.quotaBytes),
  };
}

function usedBy(reader: Reader, viewer: Viewer, now: number): Promise<number> {
  return readAsVisible(reader, viewer, now, (visibility) => readVisibleBytes(reader, visibility));
}

/** The limit counts everything; the text has what the asker may know of. */
async function spaceFull({ now }: QuotaDeps, reader: Reader, viewer: Viewer, quota: number): Promise<Refusal> {
  return new Refusal(507, spaceFullText(await usedBy(reader, viewer, now()), quota), { type: 'quota' });
}
