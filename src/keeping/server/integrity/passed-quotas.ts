import type { CoupleId } from '../../../base/ids.ts';
import { formatSize } from '../../../base/number-texts.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import { inOrderAfter } from '../../../base/server/db/in-order-after.ts';
import { readInBatches } from '../../../base/server/db/read-in-batches.ts';
import { readKeptBy } from '../../../memories/server/count-store.ts';
import { quotaOf } from '../../../memories/server/quota/quota.ts';

type Limited = { readonly id: CoupleId; readonly quotaBytes: number | null };

/**
 * Says which of these couples keep more than their quota, a sentence for each (uploads.quota.3): an import and a restore
 * take everything.
 * @param usual `QUOTA`, or null
 */
export async function passedQuotas(
  reader: Reader,
  couples: readonly Limited[],
  usual: number | null,
): Promise<readonly string[]> {
  const kept = await readKeptBy(
    reader,
    couples.map(({ id }) => id),
  );
  return couples.flatMap(({ id, quotaBytes }) => {
    const quota = quotaOf(quotaBytes, usual);
    const bytes = kept.get(id)?.bytes ?? 0;
    if (quota === null || bytes <= quota) return [];
    return [`The quota of the couple ${id} is passed: ${formatSize(bytes)} of ${formatSize(quota)}.`];
  });
}

/** Says it of all couples. */
export async function* allPassedQuotas(reader: Reader, usual: number | null): AsyncGenerator<string> {
  for await (const couples of readInBatches<Limited>((after, limit) => limitedCouples(reader, after, limit))) {
    yield* await passedQuotas(reader, couples, usual);
  }
}

function limitedCouples(reader: Reader, after: Limited | null, limit: number): Promise<Limited[]> {
  const all = reader.selectFrom('couples').select(['id', 'quotaBytes']);
  return inOrderAfter(all, ['id'], after && [after.id])
    .limit(limit)
    .execute();
}
