import { randomBytes } from 'node:crypto';
import { linkSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../../src/base/server/db/db.ts';
import { storedName } from '../../src/memories/server/names.ts';

/** Over so long a time they were uploaded. */
const YEARS = 10;
const YEAR_MS = 365.25 * 86_400_000;
const AT_ONCE = 200;
/** As captions are: a third has none, most are short, some are not. */
const CAPTIONS = [
  null,
  'One pair of gloves for two',
  'Ours is the third door',
  'We found the way down to the water, and stayed until the lamps came on along the other side',
  null,
  'Rain',
];

/**
 * Multiplies the memories that a couple has until there are so many, straight into the tables: each copy has an id, a
 * moment and a name of its own, and its thumbnail is the same file under another name.
 */
export async function fillGallery(db: Db, dataDir: string, count: number): Promise<void> {
  const originals = await db.read.selectFrom('memories').selectAll().where('deletedAt', 'is', null).execute();
  const photos = join(dataDir, 'photos');
  const now = Date.now();
  for (let done = originals.length; done < count; ) {
    const rows = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, n) => {
      const original = originals[(done + n) % originals.length] as (typeof originals)[number];
      const uploadedAt = Math.floor(now - ((done + n) / count) * YEARS * YEAR_MS);
      const fileName = `${randomBytes(16).toString('hex')}.jpg`;
      linkSync(
        join(photos, storedName(original.coupleId, original.fileName, 'thumbnail')),
        join(photos, storedName(original.coupleId, fileName, 'thumbnail')),
      );
      return {
        ...original,
        id: idAt(uploadedAt),
        fileName,
        sha256: randomBytes(32).toString('hex'),
        caption: CAPTIONS[(done + n) % CAPTIONS.length] ?? null,
        fileSizeBytes: original.fileSizeBytes + done + n,
        uploadedAt,
      };
    });
    await db.write((tx) => tx.insertInto('memories').values(rows).execute());
    done += rows.length;
  }
}

function idAt(ms: number): string {
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
