import { authLimits } from '../../auth/rules.ts';
import { partnersOf as readPartners } from '../../auth/server/store.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Db, Reader, Writer } from '../../base/server/db/db.ts';
import type { Sight, Viewer } from '../../base/server/sight.ts';
import { keptDates } from '../../dates/server/store.ts';
import { readSight, saveSurprise } from '../../dates/server/surprise-store.ts';
import { SURPRISE_TITLE } from '../../dates/surprises.ts';
import { type Hearts, heartsSeenBy } from '../../ideas/hearts.ts';
import { CATEGORIES } from '../../ideas/rules.ts';
import { insertHeart, readHearts } from '../../ideas/server/heart-store.ts';
import { deleteIdea, insertIdea } from '../../ideas/server/store.ts';
import { notesSeenBy } from '../../notes/rules.ts';
import { insertLeftNote, type NoteRow, readLeftNotes, readNotes, saveNote } from '../../notes/server/store.ts';
import { mutualCelebration } from '../../stats/celebrations.ts';
import { markMilestonesSeen } from '../../stats/server/celebration-store.ts';
import type { Story } from '../story.ts';

/**
 * Reads all of a couple's data that a partner may see in one snapshot, without password hashes, sessions or codes.
 * @param viewer the partner who exports
 */
export function readStory(db: Db, coupleId: CoupleId, viewer: UserId, now: number): Promise<Story> {
  return db.snapshot(async (reader) => {
    const sight = await readSight(reader, { coupleId, userId: viewer }, now);
    const plannedDates = await readDates(reader, sight, now);
    return {
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
      dateIdeas: await readIdeas(reader, sight, plannedDates),
      plannedDates,
      memories: await readMemories(reader, sight),
      ...(await readNotesSeenBy(sight, reader)),
    };
  });
}

/** Reads the ideas; of the deleted ones, only those that a date refers to, as far as the viewer may see it. */
async function readIdeas(
  reader: Reader,
  { coupleId, userId }: Sight,
  dates: Story['plannedDates'],
): Promise<Story['dateIdeas']> {
  const planned = new Set(dates.map(({ dateIdeaId }) => dateIdeaId));
  const hearts = await readHearts(reader, coupleId, null);
  const rows = await reader.selectFrom('ideas').selectAll().where('coupleId', '=', coupleId).orderBy('id').execute();
  const shown = rows.filter(({ id, deletedAt }) => deletedAt === null || planned.has(id));
  return shown.map((idea) => ({
    ...ofCouple(idea),
    category: idea.category as Story['dateIdeas'][number]['category'],
    isActive: idea.isActive === 1,
    hearts: heartsSeenBy(userId, hearts.get(idea.id) ?? []),
  }));
}

async function readDates(reader: Reader, viewer: Viewer, now: number): Promise<Story['plannedDates']> {
  const dates = await keptDates(reader, viewer, now);
  return dates.map(({ ideaId, surprise, ...date }) => ({
    ...without(date, OF_IDEA),
    dateIdeaId: ideaId,
    surprise: surprise && { ...surprise },
  }));
}

async function readMemories(reader: Reader, { coupleId, hiddenDates }: Sight): Promise<Story['memories']> {
  const rows = await reader
    .selectFrom('memories')
    .selectAll()
    .where('coupleId', '=', coupleId)
    .$if(hiddenDates.length > 0, (query) => query.where('dateId', 'not in', hiddenDates))
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

/** What a date has from its idea, which the story lists itself, and what follows from its being a surprise. */
const OF_IDEA = ['title', 'description', 'category', 'isHidden'] as const;

function partnersOf({ partners }: Story): UserId[] {
  return partners.map(({ id }) => id as UserId);
}

/** The partners whose hearts on an idea the story has: the exporter's own, and the partner's if it is mutual. */
function heartedBy(story: Story, hearts: Hearts): UserId[] {
  return partnersOf(story).filter((userId) => (userId === story.exportedBy ? hearts.mine : hearts.mutual));
}

/** Reads the own notes of a partner, and both of a date once they are revealed. */
async function readNotesSeenBy(
  { coupleId, userId: viewer, hiddenDates }: Sight,
  reader: Reader,
): Promise<Pick<Story, 'notes' | 'leftNotes'>> {
  const hasPartner = (await readPartners(reader, coupleId)).length === authLimits.partners;
  const byDate = Map.groupBy(await readNotes(reader, coupleId, null), ({ dateId }) => dateId);
  const leftByDate = Map.groupBy(await readLeftNotes(reader, coupleId, null), ({ dateId }) => dateId);
  const ofDate = ({ dateId, ...note }: NoteRow) => ({ ...note, plannedDateId: dateId });
  const shown = [...byDate].filter(([dateId]) => !hiddenDates.includes(dateId));
  const seen = shown.map(([dateId, notes]) =>
    notesSeenBy(viewer, { notes, leftNotes: leftByDate.get(dateId) ?? [], hasPartner }),
  );
  const present = seen.flatMap(({ mine, theirs, authorLeft }) => (authorLeft ? [mine] : [mine, theirs]));
  const left = seen.flatMap(({ theirs, authorLeft }) => (authorLeft ? [theirs] : []));
  return {
    notes: present.filter((note) => note !== null).map(ofDate),
    leftNotes: left.filter((note) => note !== null).map((note) => without(ofDate(note), ['userId'])),
  };
}

/** Inserts the dates, and what they are as surprises. */
async function writeDates(tx: Writer, coupleId: CoupleId, story: Story): Promise<void> {
  const { plannedDates, exportedBy, exportedAt } = story;
  for (const { dateIdeaId, deletedBy, plannedBy, surprise, ...date } of plannedDates) {
    const ideaId = dateIdeaId ?? (await insertUnknownIdea(tx, coupleId, date.createdAt));
    const by = { deletedBy: deletedBy as UserId | null, plannedBy: plannedBy as UserId | null };
    await tx
      .insertInto('dates')
      .values({ ...date, ...by, coupleId, ideaId })
      .execute();
    const surpriseBy = partnersOf(story).find((userId) => surprise?.mine === (userId === exportedBy));
    if (surprise === null || surpriseBy === undefined) continue;
    await saveSurprise(tx, coupleId, date.id, {
      surpriseBy,
      revealedAt: surprise.revealed ? exportedAt : null,
      shownVersion: date.version,
      shownUpdatedAt: date.updatedAt,
    });
  }
}

/**
 * Inserts a deleted idea for a date whose idea its exporter may not know. No list shows it.
 * @returns its id
 */
async function insertUnknownIdea(tx: Writer, coupleId: CoupleId, createdAt: number): Promise<string> {
  const fields = { title: SURPRISE_TITLE, description: null, category: CATEGORIES[0].value, isActive: false };
  const { id } = await insertIdea(tx, coupleId, fields, createdAt);
  await deleteIdea(tx, coupleId, id, createdAt);
  return id;
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
  await writeDates(tx, coupleId, story);
  for (const { plannedDateId, userId, ...note } of story.notes) {
    await saveNote(tx, coupleId, { ...note, dateId: plannedDateId, userId: userId as UserId });
  }
  for (const { plannedDateId, ...note } of story.leftNotes) {
    await insertLeftNote(tx, coupleId, { ...note, dateId: plannedDateId, userId: story.exportedBy as UserId });
  }
  for (const { plannedDateId, file: _, changed: __, deletedBy, ...memory } of story.memories) {
    await tx
      .insertInto('memories')
      .values({ ...memory, coupleId, dateId: plannedDateId, deletedBy: deletedBy as UserId | null })
      .execute();
  }
  return coupleId;
}
