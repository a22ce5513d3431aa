import { randomBytes } from 'node:crypto';
import { linkSync } from 'node:fs';
import { join } from 'node:path';
import { DAY } from '../../src/base/durations.ts';
import type { Db } from '../../src/base/server/db/db.ts';
import type { Size } from '../../src/memories/rules.ts';
import { storedName } from '../../src/memories/server/stored-names.ts';

/** The upload times are spread over this many years. */
const YEARS = 10;
const YEAR_MS = 365.25 * DAY;
const BATCH_SIZE = 200;
/** A realistic mix: a third without a caption, most short, some long. */
const CAPTIONS = [
  null,
  'One pair of gloves for two',
  'Ours is the third door',
  'We found the way down to the water, and stayed until the lamps came on along the other side',
  null,
  'Rain',
];

/**
 * Inserts copies of the existing memories into the database until there are `count`. Each copy has its own id, upload
 * time and file name; its files are hard links to those of the memory that it copies.
 * @param sizes the files that each copy has
 */
export async function fillGallery(
  db: Db,
  dataDir: string,
  count: number,
  sizes: readonly Size[] = ['thumbnail'],
): Promise<void> {
  const originals = await db.read.selectFrom('memories').selectAll().where('deletedAt', 'is', null).execute();
  const photos = join(dataDir, 'photos');
  const now = Date.now();
  for (let done = originals.length; done < count; ) {
    const rows = Array.from({ length: Math.min(BATCH_SIZE, count - done) }, (_, n) => {
      const original = originals[(done + n) % originals.length] as (typeof originals)[number];
      const uploadedAt = Math.floor(now - ((done + n) / count) * YEARS * YEAR_MS);
      const fileName = `${randomBytes(16).toString('hex')}.jpg`;
      for (const size of sizes) {
        linkSync(
          join(photos, storedName(original.coupleId, original.fileName, size)),
          join(photos, storedName(original.coupleId, fileName, size)),
        );
      }
      return {
        ...original,
        id: uuidAt(uploadedAt),
        fileName,
        sha256: randomBytes(32).toString('hex'),
        caption: CAPTIONS[(done + n) % CAPTIONS.length] ?? null,
        fileSizeBytes: original.fileSizeBytes + done + n,
        uploadedAt,
        happenedAt: uploadedAt,
      };
    });
    await db.write((tx) => tx.insertInto('memories').values(rows).execute());
    done += rows.length;
  }
}

/** A UUIDv7 of the given time. */
function uuidAt(ms: number): string {
  const random = randomBytes(10);
  const hex = ms.toString(16).padStart(12, '0') + random.toString('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `7${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}
