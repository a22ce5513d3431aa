import { uuidv7 } from 'uuidv7';
import { emailKey } from '../../../auth/rules.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { memorySearchText } from '../../../base/search-text.ts';
import type { Db, Writer } from '../../../base/server/db/db.ts';
import type { IdeasTable } from '../../../base/server/db/tables/tables.ts';
import { saveSurprise } from '../../../dates/server/surprise-store.ts';
import { SURPRISE_TITLE } from '../../../dates/surprises.ts';
import { CATEGORIES } from '../../../ideas/categories.ts';
import type { Hearts } from '../../../ideas/hearts.ts';
import { happenedAt } from '../../../memories/happened-at.ts';
import { mutualCelebration } from '../../../stats/celebrations.ts';
import { markMilestonesSeen } from '../../../stats/server/celebration-store.ts';
import type { Story, StoryDate } from '../../story.ts';

/** Rows of one statement, and of one transaction: few enough that nobody who uses the server notices its lock. */
const BATCH = 200;

/** The times of a date that is missing. */
const NEVER = { actualStartTime: null, actualEndTime: null };

/** The title of an idea that is in the story only as the one of a date. */
const UNKNOWN_TITLE = 'Our date';

/**
 * Inserts the couple, the ideas, the dates and the memories of a story, in several transactions. Nobody can see them before
 * `writePartners`. The photographs must already be stored. What is in the trash has been there since `now`.
 */
export async function writeAlbum(db: Db, story: Story, now: number): Promise<void> {
  const coupleId = story.couple.id as CoupleId;
  await db.write((tx) =>
    tx
      .insertInto('couples')
      .values({ ...story.couple, id: coupleId })
      .execute(),
  );
  const unknown = new Map(
    story.plannedDates.flatMap((date) => (date.dateIdeaId === null ? [[date.id, unknownIdea(coupleId, date)]] : [])),
  );
  const ideas = story.dateIdeas.map((idea) => {
    const { hearts: _, ...row } = idea;
    return { ...row, coupleId, isActive: Number(idea.isActive) };
  });
  /** When a row was deleted: an old export's trash would be emptied within the hour. */
  const deletionOf = ({ deletedAt, deletedBy }: { deletedAt: number | null; deletedBy: string | null }) => ({
    deletedAt: deletedAt === null ? null : Math.max(deletedAt, now),
    deletedBy: deletedBy as UserId | null,
  });
  const dates = story.plannedDates.map((date) => {
    const { dateIdeaId, surprise: _, lookBack, ...row } = date;
    const ideaId = dateIdeaId ?? unknown.get(date.id)?.id ?? '';
    return {
      ...row,
      ...deletionOf(date),
      coupleId,
      ideaId,
      plannedBy: date.plannedBy as UserId | null,
      notLookedBackBy: lookBack ? null : story.exportedBy,
    };
  });
  const times = new Map(story.plannedDates.map((date) => [date.id, date]));
  const memories = story.memories.map((memory) => {
    const { plannedDateId: dateId, file: _, changed: __, ...row } = memory;
    const place = happenedAt(memory, times.get(dateId) ?? NEVER);
    const searchText = memorySearchText(memory);
    return { ...row, ...deletionOf(memory), coupleId, dateId, happenedAt: place, searchText };
  });
  await inBatches(db, [...ideas, ...unknown.values()], (tx, rows) => tx.insertInto('ideas').values(rows).execute());
  await inBatches(db, dates, (tx, rows) => tx.insertInto('dates').values(rows).execute());
  await inBatches(db, memories, (tx, rows) => tx.insertInto('memories').values(rows).execute());
}

async function inBatches<Row>(
  db: Db,
  rows: readonly Row[],
  insert: (tx: Writer, batch: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (const batch of batchesOf(rows)) await db.write((tx) => insert(tx, batch));
}

function* batchesOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += BATCH) yield rows.slice(from, from + BATCH);
}

/** A deleted idea for a date whose idea its exporter may not know, or that is missing. No list shows it. */
function unknownIdea(coupleId: CoupleId, { surprise, createdAt }: StoryDate): IdeasTable {
  return {
    coupleId,
    id: uuidv7(),
    title: surprise === null ? UNKNOWN_TITLE : SURPRISE_TITLE,
    description: null,
    category: CATEGORIES[0].value,
    isActive: 0,
    createdAt,
    updatedAt: createdAt,
    version: 1,
    deletedAt: createdAt,
  };
}

/**
 * Inserts the partners of a story, and what belongs to one of them. From then on they can sign in and see all of it.
 * @param passwordHash the one that they have until they set a password
 */
export async function writePartners(tx: Writer, story: Story, passwordHash: string): Promise<void> {
  const coupleId = story.couple.id as CoupleId;
  const users = story.partners.map(({ id, ...partner }) => ({
    ...partner,
    coupleId,
    id: id as UserId,
    emailKey: emailKey(partner.email),
    passwordHash,
  }));
  await tx.insertInto('users').values(users).execute();
  await writeHearts(tx, coupleId, story);
  for (const date of story.plannedDates) await writeSurprise(tx, coupleId, date, story);
  const notes = story.notes.map(({ plannedDateId: dateId, userId, ...note }) => ({
    ...note,
    coupleId,
    dateId,
    userId: userId as UserId,
  }));
  const leftNotes = story.leftNotes.map(({ plannedDateId: dateId, ...note }) => ({
    ...note,
    coupleId,
    dateId,
    userId: story.exportedBy as UserId,
  }));
  for (const batch of batchesOf(notes)) await tx.insertInto('notes').values(batch).execute();
  for (const batch of batchesOf(leftNotes)) await tx.insertInto('leftNotes').values(batch).execute();
}

function partnersOf({ partners }: Story): UserId[] {
  return partners.map(({ id }) => id as UserId);
}

/** The partners whose hearts on an idea the story has: the exporter's own, and the partner's if it is mutual. */
function heartedBy(story: Story, hearts: Hearts): UserId[] {
  return partnersOf(story).filter((userId) => (userId === story.exportedBy ? hearts.mine : hearts.mutual));
}

async function writeHearts(tx: Writer, coupleId: CoupleId, story: Story): Promise<void> {
  const createdAt = story.exportedAt;
  const hearts = story.dateIdeas.flatMap(({ id: ideaId, hearts }) =>
    heartedBy(story, hearts).map((userId) => ({ coupleId, ideaId, userId, createdAt })),
  );
  for (const batch of batchesOf(hearts)) await tx.insertInto('hearts').values(batch).execute();
  // The couple has celebrated the mutual ones where it came from.
  const mutual = story.dateIdeas.filter((idea) => idea.hearts.mutual);
  for (const userId of partnersOf(story)) {
    const partners = partnersOf(story).filter((partnerId) => partnerId !== userId);
    const seen = mutual.flatMap(({ id }) => partners.map((partnerId) => mutualCelebration(id, partnerId)));
    for (const batch of batchesOf(seen)) await markMilestonesSeen(tx, coupleId, userId, batch, createdAt);
  }
}

async function writeSurprise(tx: Writer, coupleId: CoupleId, date: StoryDate, story: Story): Promise<void> {
  const { surprise, version, updatedAt } = date;
  const surpriseBy = partnersOf(story).find((userId) => surprise?.mine === (userId === story.exportedBy));
  if (surprise === null || surpriseBy === undefined) return;
  await saveSurprise(tx, coupleId, date.id, {
    surpriseBy,
    revealedAt: surprise.revealed ? story.exportedAt : null,
    shownVersion: version,
    shownUpdatedAt: updatedAt,
  });
}
