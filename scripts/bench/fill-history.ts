import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { uuidv7 } from 'uuidv7';
import { hashOfSecret } from '../../src/auth/server/secrets.ts';
import { findSessionByToken } from '../../src/auth/server/session/token-store.ts';
import { DAY, HOUR, MINUTE } from '../../src/base/durations.ts';
import { memorySearchText } from '../../src/base/search-text.ts';
import type { Db } from '../../src/base/server/db/db.ts';
import { CATEGORIES } from '../../src/ideas/categories.ts';

const YEARS = 10;
/** Rows per statement, below the 32,000 parameters that both engines accept. */
const BATCH_SIZE = 1_000;

/** How much a couple has: completed dates, spread over ten years, of these ideas, and memories spread over the dates. */
export interface CoupleHistory {
  readonly ideas: number;
  readonly dates: number;
  readonly memories: number;
}

/** Inserts a history for the couple of a bearer token. The memories have no files. */
export async function fillHistory(db: Db, token: string, { ideas, dates, memories }: CoupleHistory): Promise<void> {
  const session = await findSessionByToken(db.read, hashOfSecret(token));
  if (!session) throw new Error('No session has this token');
  const { coupleId } = session;
  const now = Date.now();
  const ideaRows = Array.from({ length: ideas }, (_, n) => ({
    coupleId,
    id: uuidv7(),
    title: `A walk, number ${n}`,
    description: 'As far as the old bridge.',
    category: CATEGORIES[n % CATEGORIES.length]?.value ?? 'Outdoor',
    isActive: 1,
    createdAt: now,
    updatedAt: now,
    version: 1,
    deletedAt: null,
  }));
  const dateRows = Array.from({ length: dates }, (_, n) => {
    const start = Math.floor(now - DAY - ((n + 1) / dates) * YEARS * 365 * DAY);
    return {
      coupleId,
      id: uuidv7(),
      ideaId: ideaRows[n % ideas]?.id ?? '',
      status: 'Completed' as const,
      plannedDateTime: start,
      endDateTime: null,
      location: 'From the weir to the old bridge',
      notes: 'Bring the blue scarf, and bread for the ducks.',
      actualStartTime: start,
      actualEndTime: start + HOUR + (n % 120) * MINUTE,
      createdAt: start - DAY,
      updatedAt: start,
      version: 3,
      deletedAt: null,
      deletedBy: null,
    };
  });
  const memoryRows = Array.from({ length: memories }, (_, n) => {
    const date = dateRows[n % dates];
    const originalFileName = `IMG_${n}.jpg`;
    const caption = n % 2 === 0 ? 'We found the way down to the water' : null;
    return {
      coupleId,
      id: uuidv7(),
      dateId: date?.id ?? '',
      fileName: `${randomBytes(16).toString('hex')}.jpg`,
      originalFileName,
      fileExtension: '.jpg',
      fileSizeBytes: 2_000_000 + n,
      sha256: randomBytes(32).toString('hex'),
      width: 4000,
      height: 3000,
      thumbHash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
      caption,
      searchText: memorySearchText({ caption, originalFileName }),
      uploadedAt: (date?.actualStartTime ?? 0) + HOUR + n,
      takenAt: date?.actualStartTime ?? null,
      correctedTakenAt: null,
      updatedAt: null,
      version: 1,
      happenedAt: date?.actualStartTime ?? 0,
      deletedAt: null,
      deletedBy: null,
      dateDeletedAt: null,
    };
  });
  for (const batch of batches(ideaRows)) await db.write((tx) => tx.insertInto('ideas').values(batch).execute());
  for (const batch of batches(dateRows)) await db.write((tx) => tx.insertInto('dates').values(batch).execute());
  for (const batch of batches(memoryRows)) await db.write((tx) => tx.insertInto('memories').values(batch).execute());
  // What the database does by itself within minutes.
  if (db.engine === 'postgres') await sql`vacuum analyze`.execute(db.read);
}

function batches<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / BATCH_SIZE);
  return Array.from({ length: count }, (_, n) => all.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE));
}
