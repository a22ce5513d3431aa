import { authLimits } from '../../auth/rules.ts';
import { partnersOf as readPartners } from '../../auth/server/store.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Db, Reader, Writer } from '../../base/server/db/db.ts';
import { type Hearts, heartsSeenBy } from '../../ideas/hearts.ts';
import { insertHeart, readHearts } from '../../ideas/server/heart-store.ts';
import { notesSeenBy } from '../../notes/rules.ts';
import { readNotes, saveNote } from '../../notes/server/store.ts';
import { mutualCelebration } from '../../stats/celebrations.ts';
import { markMilestonesSeen } from '../../stats/server/celebration-store.ts';
import type { Story } from '../story.ts';

/**
 * Reads all of a couple's data that a partner may see in one snapshot, without password hashes, sessions or codes.
 * @param viewer the partner who exports
 */
export function readStory(db: Db, coupleId: CoupleId, viewer: UserId, now: number): Promise<Story> {
  return db.snapshot(async (reader) => ({
    format: 'our-love-story export',
    version: 1,
    exportedAt: now,
    exportedBy: viewer,
    couple: await reader.selectFrom('couples').selectAll().where('id', '=', coupleId).executeTakeFirstOrThrow(),
    partners: await reader
      .selectFrom('users')
      .select(['id', 'email', 'displayName', 'createdAt'])
      .where('coupleId', '=', coupleId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
    dateIdeas: await readIdeas(reader, coupleId, viewer),
    plannedDates: await readDates(reader, coupleId),
    memories: await readMemories(reader, coupleId),
    notes: await readNotesSeenBy(viewer, reader, coupleId),
  }));
}

async function readIdeas(reader: Reader, coupleId: CoupleId, viewer: UserId): Promise<Story['dateIdeas']> {
  const hearts = await readHearts(reader, coupleId, null);
  const rows = await reader.selectFrom('ideas').selectAll().where('coupleId', '=', coupleId).orderBy('id').execute();
  return rows.map((idea) => ({
    ...ofCouple(idea),
    category: idea.category as Story['dateIdeas'][number]['category'],
    isActive: idea.isActive === 1,
    hearts: heartsSeenBy(viewer, hearts.get(idea.id) ?? []),
  }));
}

async function readDates(reader: Reader, coupleId: CoupleId): Promise<Story['plannedDates']> {
  const rows = await reader.selectFrom('dates').selectAll().where('coupleId', '=', coupleId).orderBy('id').execute();
  return rows.map(({ ideaId, ...date }) => ({ ...without(date, UNDO_WENT), dateIdeaId: ideaId }));
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

/** The columns of a date that are no part of the story: 'We went!' can be undone for a minute only. */
const UNDO_WENT = ['coupleId', 'wentBy', 'wentVersion', 'notesBeforeWent', 'updatedAtBeforeWent'] as const;

function partnersOf({ partners }: Story): UserId[] {
  return partners.map(({ id }) => id as UserId);
}

/** The partners whose hearts on an idea the story has: the exporter's own, and the partner's if it is mutual. */
function heartedBy(story: Story, hearts: Hearts): UserId[] {
  return partnersOf(story).filter((userId) => (userId === story.exportedBy ? hearts.mine : hearts.mutual));
}

/** Reads the own notes of a partner, and both of a date once they are revealed. */
async function readNotesSeenBy(viewer: UserId, reader: Reader, coupleId: CoupleId): Promise<Story['notes']> {
  const hasPartner = (await readPartners(reader, coupleId)).length === authLimits.partners;
  const byDate = Map.groupBy(await readNotes(reader, coupleId, null), ({ dateId }) => dateId);
  return [...byDate.values()].flatMap((ofDate) => {
    const { mine, theirs } = notesSeenBy(viewer, ofDate, hasPartner);
    return [mine, theirs]
      .filter((note) => note !== null)
      .map(({ dateId, ...note }) => ({ ...note, plannedDateId: dateId }));
  });
}

/** Drops the couple's id from a row: the story names it once. */
function ofCouple<Row extends { coupleId: CoupleId }>(row: Row): Omit<Row, 'coupleId'> {
  return without(row, ['coupleId']);
}

function without<Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]): Omit<Row, Name> {
  const rest: Partial<Row> = { ...row };
  for (const name of names) delete rest[name];
  return rest as Omit<Row, Name>;
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
  for (const { hearts, ...idea } of story.dateIdeas) {
    await tx
      .insertInto('ideas')
      .values({ ...idea, coupleId, isActive: Number(idea.isActive) })
      .execute();
    for (const userId of heartedBy(story, hearts)) {
      await insertHeart(tx, coupleId, idea.id, userId, story.exportedAt);
      // The couple has celebrated it where it came from.
      const seen = partnersOf(story)
        .filter((partnerId) => hearts.mutual && partnerId !== userId)
        .map((partnerId) => mutualCelebration(idea.id, partnerId));
      await markMilestonesSeen(tx, coupleId, userId, seen, story.exportedAt);
    }
  }
  for (const { dateIdeaId, deletedBy, ...date } of story.plannedDates) {
    await tx
      .insertInto('dates')
      .values({ ...date, coupleId, ideaId: dateIdeaId, deletedBy: deletedBy as UserId | null })
      .execute();
  }
  for (const { plannedDateId, userId, ...note } of story.notes) {
    await saveNote(tx, coupleId, { ...note, dateId: plannedDateId, userId: userId as UserId });
  }
  for (const { plannedDateId, file: _, changed: __, deletedBy, ...memory } of story.memories) {
    await tx
      .insertInto('memories')
      .values({ ...memory, coupleId, dateId: plannedDateId, deletedBy: deletedBy as UserId | null })
      .execute();
  }
  return coupleId;
}
