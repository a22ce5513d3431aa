import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Db, Reader, Writer } from '../../base/server/db/db.ts';
import type { Story } from '../story.ts';

/** Reads all of a couple's data in one snapshot, without password hashes, sessions or codes. */
export function readStory(db: Db, coupleId: CoupleId, now: number): Promise<Story> {
  return db.snapshot(async (reader) => ({
    format: 'our-love-story export',
    version: 1,
    exportedAt: now,
    couple: await reader.selectFrom('couples').selectAll().where('id', '=', coupleId).executeTakeFirstOrThrow(),
    partners: await reader
      .selectFrom('users')
      .select(['id', 'email', 'displayName', 'createdAt'])
      .where('coupleId', '=', coupleId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
    dateIdeas: await readIdeas(reader, coupleId),
    plannedDates: await readDates(reader, coupleId),
    memories: await readMemories(reader, coupleId),
  }));
}

async function readIdeas(reader: Reader, coupleId: CoupleId): Promise<Story['dateIdeas']> {
  const rows = await reader.selectFrom('ideas').selectAll().where('coupleId', '=', coupleId).orderBy('id').execute();
  return rows.map((idea) => ({
    ...ofCouple(idea),
    category: idea.category as Story['dateIdeas'][number]['category'],
    isActive: idea.isActive === 1,
  }));
}

async function readDates(reader: Reader, coupleId: CoupleId): Promise<Story['plannedDates']> {
  const rows = await reader.selectFrom('dates').selectAll().where('coupleId', '=', coupleId).orderBy('id').execute();
  return rows.map(({ ideaId, ...date }) => ({ ...ofCouple(date), dateIdeaId: ideaId }));
}

async function readMemories(reader: Reader, coupleId: CoupleId): Promise<Story['memories']> {
  const rows = await reader
    .selectFrom('memories')
    .selectAll()
    .where('coupleId', '=', coupleId)
    .orderBy('uploadedAt')
    .orderBy('id')
    .execute();
  return rows.map(({ dateId, fileExtension, ...memory }) => ({
    ...ofCouple(memory),
    plannedDateId: dateId,
    fileExtension: fileExtension as Story['memories'][number]['fileExtension'],
    file: null,
    changed: null,
  }));
}

/** Drops the couple's id from a row: the story names it once. */
function ofCouple<Row extends { coupleId: CoupleId }>(row: Row): Omit<Row, 'coupleId'> {
  const rest: Partial<Row> = { ...row };
  delete rest.coupleId;
  return rest as Omit<Row, 'coupleId'>;
}

/**
 * Inserts a story into the tables. Its photographs must already be stored. Its users have `passwordHash` until they set
 * a password.
 */
export async function writeStory(
  tx: Writer,
  story: Story,
  { emailKey, passwordHash }: { emailKey: (email: string) => string; passwordHash: string },
): Promise<CoupleId> {
  const coupleId = story.couple.id as CoupleId;
  await tx
    .insertInto('couples')
    .values({ ...story.couple, id: coupleId })
    .execute();
  for (const { id, ...partner } of story.partners) {
    await tx
      .insertInto('users')
      .values({ ...partner, coupleId, id: id as UserId, emailKey: emailKey(partner.email), passwordHash })
      .execute();
  }
  for (const idea of story.dateIdeas) {
    await tx
      .insertInto('ideas')
      .values({ ...idea, coupleId, isActive: Number(idea.isActive) })
      .execute();
  }
  for (const { dateIdeaId, deletedBy, ...date } of story.plannedDates) {
    await tx
      .insertInto('dates')
      .values({ ...date, coupleId, ideaId: dateIdeaId, deletedBy: deletedBy as UserId | null })
      .execute();
  }
  for (const { plannedDateId, file: _, changed: __, deletedBy, ...memory } of story.memories) {
    await tx
      .insertInto('memories')
      .values({ ...memory, coupleId, dateId: plannedDateId, deletedBy: deletedBy as UserId | null })
      .execute();
  }
  return coupleId;
}
