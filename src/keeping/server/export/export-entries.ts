import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { DigestingReader, sameDigest } from '../../../base/server/files/durable-file.ts';
import { FileMissing, type Files, nullIfMissing } from '../../../base/server/files/files.ts';
import { readStored } from '../../../base/server/files/stored-file.ts';
import { dayOf, formatInstant } from '../../../base/time.ts';
import { storedName } from '../../../memories/server/names.ts';
import { albumPage } from '../../album.ts';
import { portableName, UniqueNames } from '../../archive-names.ts';
import { toCsv } from '../../csv.ts';
import { namedNotes, type Story, type StoryMemory, titleOfDate } from '../../story.ts';
import { readStory } from '../story-store.ts';
import type { ZipEntry } from './zip.ts';

const FONTS = ['newsreader-latin-400-normal.woff2', 'newsreader-latin-400-italic.woff2'];

type Exporter = Pick<Deps, 'db' | 'files' | 'now' | 'log'>;

/**
 * Yields the files of an export for one partner: the originals under their own names, an album that opens in any browser
 * without a network, CSV tables, and `data/story.json`, from which an import restores everything.
 */
export async function* exportEntries(exporter: Exporter, coupleId: CoupleId, viewer: UserId): AsyncGenerator<ZipEntry> {
  const { db, files, now, log } = exporter;
  const story = await readStory(db, coupleId, viewer, now());
  const paths = archivePaths(story);
  const pictures = new Map<string, string>();
  const memories: StoryMemory[] = [];
  for (const memory of story.memories) {
    const path = paths.get(memory.id) ?? '';
    const name = (size: 'original' | 'preview') => storedName(coupleId, memory.fileName, size);
    const original = await openReadable(files, name('original'));
    if (original === null) {
      log.error({ memory: memory.id }, 'an export lacks a photograph that is lost');
      memories.push(memory);
      continue;
    }
    const reader = new DigestingReader();
    try {
      yield { name: path, source: Readable.from(reader.of(original)), date: memory.uploadedAt, store: true };
    } finally {
      // The download may be aborted before the first byte is read.
      original.destroy();
    }
    const found = reader.result();
    // A changed photograph is better than none, and the story says that it has changed.
    const isWhole = sameDigest(found, { bytes: memory.fileSizeBytes, sha256: memory.sha256 });
    if (!isWhole) log.error({ memory: memory.id }, 'an export holds a photograph that has changed or breaks off');
    memories.push({ ...memory, file: path, changed: isWhole ? null : found });
    pictures.set(memory.id, path);
    if (memory.deletedAt !== null || memory.dateDeletedAt !== null) continue;
    // Small, and read to its end first: a part of it would replace the whole original in the album.
    const preview = await nullIfMissing(buffer(readStored(files, name('preview'))));
    if (preview === null) continue;
    const picture = `album/pictures/${memory.id}.webp`;
    yield { name: picture, source: preview, date: memory.uploadedAt, store: true };
    pictures.set(memory.id, picture);
  }
  yield* dataFiles({ ...story, memories }, pictures, paths);
}

async function* dataFiles(
  story: Story,
  pictures: ReadonlyMap<string, string>,
  originals: ReadonlyMap<string, string>,
): AsyncGenerator<ZipEntry> {
  const date = story.exportedAt;
  const text = (name: string, content: string): ZipEntry => ({ name, source: Buffer.from(content), date });
  yield text('album.html', albumPage(story, pictures, originals));
  yield { name: 'album/album.css', source: await readFile(join(import.meta.dirname, 'album.css')), date };
  const require = createRequire(import.meta.url);
  for (const font of FONTS) {
    yield {
      name: `album/${font}`,
      source: await readFile(require.resolve(`@fontsource/newsreader/files/${font}`)),
      date,
    };
  }
  yield text('data/story.json', `${JSON.stringify(story, asInstants, 2)}\n`);
  yield text('data/date-ideas.csv', ideasCsv(story));
  yield text('data/planned-dates.csv', datesCsv(story));
  yield text('data/memories.csv', memoriesCsv(story));
  yield text('data/notes.csv', notesCsv(story));
  yield text('READ ME.txt', README);
}

/** Fields that are milliseconds in the database and ISO in the file. */
const INSTANTS = new Set([
  'exportedAt',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'dateDeletedAt',
  'uploadedAt',
  'takenAt',
  'plannedDateTime',
  'endDateTime',
  'actualStartTime',
  'actualEndTime',
  'writtenAt',
]);

function asInstants(key: string, value: unknown): unknown {
  return INSTANTS.has(key) && typeof value === 'number' ? formatInstant(value) : value;
}

/** Returns each memory's path in the archive: one folder per date, named by its day and title. */
export function archivePaths(story: Story): Map<string, string> {
  const ideas = new Map(story.dateIdeas.map((idea) => [idea.id, idea.title]));
  const folders = new UniqueNames();
  const dates = new Map(
    story.plannedDates.map((date) => {
      const day = dayOf(date.actualStartTime ?? date.plannedDateTime, story.couple.timeZone);
      const title = portableName(titleOfDate(date, ideas) ?? '', 'Our date');
      const folder = { names: new UniqueNames(), path: `photos/${folders.take(`${day} ${title}`)}` };
      return [date.id, folder] as const;
    }),
  );
  const trash = { names: new UniqueNames(), path: 'photos/Recently deleted' };
  return new Map(
    story.memories.map((memory) => {
      const isDeleted = memory.deletedAt !== null || memory.dateDeletedAt !== null;
      const folder = (isDeleted ? undefined : dates.get(memory.plannedDateId)) ?? trash;
      return [memory.id, `${folder.path}/${folder.names.take(fileNameOf(memory))}`];
    }),
  );
}

/** The name the file had on the device, with an extension that matches its type. */
function fileNameOf({ originalFileName, fileExtension }: StoryMemory): string {
  const name = portableName(originalFileName, `photo${fileExtension}`);
  const endings = fileExtension === '.jpg' ? ['.jpg', '.jpeg'] : [fileExtension];
  return endings.some((ending) => name.toLowerCase().endsWith(ending)) ? name : `${name}${fileExtension}`;
}

/**
 * Opens a file of the photo store, or returns null if nothing of it can be read. It ends where the rest can't be read: the
 * first part is better than none.
 */
async function openReadable(files: Files, name: string): Promise<Readable | null> {
  const stream = Readable.from(readUntilFault(files, name));
  // Also emitted at the end.
  await once(stream, 'readable');
  return stream.readableLength > 0 ? stream : null;
}

async function* readUntilFault(files: Files, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* readStored(files, name);
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error;
  }
}

const iso = (at: number | null) => (at === null ? null : formatInstant(at));

function ideasCsv({ dateIdeas }: Story): string {
  const head = ['title', 'category', 'description', 'active', 'created', 'id', 'heart'];
  const rows = dateIdeas.filter((idea) => idea.deletedAt === null);
  return toCsv(
    head,
    rows.map((idea) => [
      idea.title,
      idea.category,
      idea.description,
      idea.isActive ? 'yes' : 'no',
      iso(idea.createdAt),
      idea.id,
      idea.hearts.mutual ? 'both' : idea.hearts.mine ? 'mine' : null,
    ]),
  );
}

function datesCsv({ plannedDates, dateIdeas }: Story): string {
  const titles = new Map(dateIdeas.map((idea) => [idea.id, idea.title]));
  const head = ['title', 'status', 'planned', 'until', 'started', 'ended', 'location', 'notes', 'id', 'surprise'];
  return toCsv(
    head,
    plannedDates
      .filter((date) => date.deletedAt === null)
      .map((date) => [
        titleOfDate(date, titles) ?? null,
        date.status,
        iso(date.plannedDateTime),
        iso(date.endDateTime),
        iso(date.actualStartTime),
        iso(date.actualEndTime),
        date.location,
        date.notes,
        date.id,
        date.surprise === null ? null : date.surprise.mine ? 'mine' : 'theirs',
      ]),
  );
}

function memoriesCsv({ memories }: Story): string {
  const head = ['file', 'caption', 'taken', 'uploaded', 'bytes', 'sha256', 'planned date', 'id', 'changed'];
  return toCsv(
    head,
    memories
      .filter((memory) => memory.deletedAt === null && memory.dateDeletedAt === null)
      .map((memory) => [
        memory.file,
        memory.caption,
        iso(memory.takenAt),
        iso(memory.uploadedAt),
        memory.fileSizeBytes,
        memory.sha256,
        memory.plannedDateId,
        memory.id,
        memory.changed === null ? null : 'yes',
      ]),
  );
}

function notesCsv(story: Story): string {
  const { plannedDates, dateIdeas } = story;
  const titles = new Map(dateIdeas.map((idea) => [idea.id, idea.title]));
  const dates = new Map(plannedDates.filter(({ deletedAt }) => deletedAt === null).map((date) => [date.id, date]));
  const head = ['title', 'by', 'note', 'hearts', 'written', 'planned date'];
  return toCsv(
    head,
    namedNotes(story)
      .filter(({ plannedDateId }) => dates.has(plannedDateId))
      .map(({ plannedDateId, by, text, hearts, writtenAt }) => [
        titles.get(dates.get(plannedDateId)?.dateIdeaId ?? '') ?? null,
        by,
        text,
        hearts,
        iso(writtenAt),
        plannedDateId,
      ]),
  );
}

const README = `Our Love Story

album.html   Our dates and photographs. Open it in any browser; it works offline.
photos/      Our original photographs, one folder per date.
data/        Tables for a spreadsheet (CSV), and story.json, which holds everything.

To import it into the app: npm run import -- FILE
`;
