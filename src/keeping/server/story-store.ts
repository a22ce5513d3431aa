import { authLimits } from '../../auth/rules.ts';
import { partnersOf as readPartners } from '../../auth/server/user-store.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Db, Reader } from '../../base/server/db/db.ts';
import { OwnerGone } from '../../base/server/db/faults.ts';
import { inOrderAfter } from '../../base/server/db/in-order-after.ts';
import { readRowByRow } from '../../base/server/db/read-in-batches.ts';
import type { Viewer, Visibility } from '../../base/server/visibility.ts';
import { readVisibility } from '../../dates/server/visibility-store.ts';
import { keptDates } from '../../dates/server/visible-dates.ts';
import { heartsVisibleTo } from '../../ideas/hearts.ts';
import { readHearts } from '../../ideas/server/heart-store.ts';
import { notesVisibleTo } from '../../notes/notes-visible-to.ts';
import { type NoteRow, readLeftNotes, readNotes } from '../../notes/server/store.ts';
import type { Story, StoryMemory } from '../story.ts';

/**
 * Reads all of a couple's data that a partner may see in one snapshot, without password hashes, sessions or codes.
 * @param viewer the partner who exports
 * @throws OwnerGone if the partner has left the couple
 */
export function readStory(db: Db, coupleId: CoupleId, viewer: UserId, now: number): Promise<Story> {
  return db.snapshot(async (reader) => {
    const visibility = await readVisibility(reader, { coupleId, userId: viewer }, now);
    const partners = await reader
      .selectFrom('users')
      .select(['id', 'email', 'displayName', 'formats', 'createdAt'])
      .where('coupleId', '=', coupleId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    if (partners.every(({ id }) => id !== viewer)) throw new OwnerGone();
    return {
      format: 'our-love-story export',
      version: 1,
      exportedAt: now,
      exportedBy: viewer,
      couple: await readCouple(reader, coupleId),
      partners,
      ...(await readPlans(reader, visibility, now)),
      memories: await Array.fromAsync(memoriesOf(reader, () => Promise.resolve(visibility), MAX_INSTANT)),
      ...(await readNotesVisibleTo(visibility, reader)),
    };
  });
}

/** Reads what names the folders of an export. */
export function readDatesAndIdeas(
  db: Db,
  viewer: Viewer,
  now: number,
): Promise<Pick<Story, 'couple' | 'dateIdeas' | 'plannedDates'>> {
  return db.snapshot(async (reader) => ({
    couple: await readCouple(reader, viewer.coupleId),
    ...(await readPlans(reader, await readVisibility(reader, viewer, now), now)),
  }));
}

function readCouple(reader: Reader, coupleId: CoupleId): Promise<Story['couple']> {
  return reader
    .selectFrom('couples')
    .select(['id', 'togetherSince', 'timeZone', 'createdAt'])
    .where('id', '=', coupleId)
    .executeTakeFirstOrThrow();
}

async function readPlans(
  reader: Reader,
  visibility: Visibility,
  now: number,
): Promise<Pick<Story, 'dateIdeas' | 'plannedDates'>> {
  const plannedDates = await readDates(reader, visibility, now);
  return { dateIdeas: await readIdeas(reader, visibility, plannedDates), plannedDates };
}

/**
 * Reads the memories that were uploaded before an instant, page by page as they are taken, each as the partner may see it
 * then, in the order of their ids.
 */
export function memoriesSeenUntil(
  reader: Reader,
  viewer: Viewer,
  until: number,
  now: () => number,
): AsyncGenerator<StoryMemory> {
  return memoriesOf(reader, () => readVisibility(reader, viewer, now()), until);
}

const MAX_INSTANT = Number.MAX_SAFE_INTEGER;

function memoriesOf(
  reader: Reader,
  readSightNow: () => Promise<Visibility>,
  until: number,
): AsyncGenerator<StoryMemory> {
  return readRowByRow<StoryMemory>(async (after, limit) =>
    readMemories(reader, await readSightNow(), { after, until, limit }),
  );
}

/** Reads the ideas; of the deleted ones, only those that a date refers to, as far as the viewer may see it. */
async function readIdeas(
  reader: Reader,
  { coupleId, userId }: Visibility,
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
    hearts: heartsVisibleTo(userId, hearts.get(idea.id) ?? []),
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

async function readMemories(
  reader: Reader,
  { coupleId, hiddenDates }: Visibility,
  { after, until, limit }: { readonly after: StoryMemory | null; readonly until: number; readonly limit: number },
): Promise<StoryMemory[]> {
  const seen = reader
    .selectFrom('memories')
    .selectAll()
    .where('coupleId', '=', coupleId)
    .where('uploadedAt', '<=', until)
    .$if(hiddenDates.length > 0, (query) => query.where('dateId', 'not in', hiddenDates));
  const rows = await inOrderAfter(seen, ['id'], after && [after.id])
    .limit(limit)
    .execute();
  return rows.map(({ dateId, fileExtension, ...memory }) => ({
    ...without(memory, ['coupleId', 'happenedAt']),
    plannedDateId: dateId,
    fileExtension: fileExtension as Story['memories'][number]['fileExtension'],
    file: null,
    changed: null,
  }));
}

/** What a date has from its idea, which the story lists itself, and what follows from its being a surprise. */
const OF_IDEA = ['title', 'description', 'category', 'isHidden'] as const;

/** Reads a partner's own notes, and both of a date once they are revealed. */
async function readNotesVisibleTo(
  { coupleId, userId: viewer, hiddenDates }: Visibility,
  reader: Reader,
): Promise<Pick<Story, 'notes' | 'leftNotes'>> {
  const hasPartner = (await readPartners(reader, coupleId)).length === authLimits.partners;
  const byDate = Map.groupBy(await readNotes(reader, coupleId, null), ({ dateId }) => dateId);
  const leftByDate = Map.groupBy(await readLeftNotes(reader, coupleId, null), ({ dateId }) => dateId);
  const ofDate = ({ dateId, ...note }: NoteRow) => ({ ...note, plannedDateId: dateId });
  const shown = [...byDate].filter(([dateId]) => !hiddenDates.includes(dateId));
  const seen = shown.map(([dateId, notes]) =>
    notesVisibleTo(viewer, { notes, leftNotes: leftByDate.get(dateId) ?? [], hasPartner }),
  );
  const present = seen.flatMap(({ mine, theirs, authorLeft }) => (authorLeft ? [mine] : [mine, theirs]));
  const left = seen.flatMap(({ theirs, authorLeft }) => (authorLeft ? [theirs] : []));
  return {
    notes: present.filter((note) => note !== null).map(ofDate),
    leftNotes: left.filter((note) => note !== null).map((note) => without(ofDate(note), ['userId'])),
  };
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
