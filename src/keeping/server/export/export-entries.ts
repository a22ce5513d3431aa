import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { CoupleId } from '../../../base/ids.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { FileMissing } from '../../../base/server/files/files.ts';
import { dayOf, formatInstant } from '../../../base/time.ts';
import { storedName } from '../../../memories/server/names.ts';
import { albumPage } from '../../album.ts';
import { portableName, UniqueNames } from '../../archive-names.ts';
import { toCsv } from '../../csv.ts';
import type { Story, StoryMemory } from '../../story.ts';
import { DigestingReader, sameDigest } from '../durable-file.ts';
import { readStory } from '../story-store.ts';
import type { ZipEntry } from './zip.ts';

const FONTS = ['newsreader-latin-400-normal.woff2', 'newsreader-latin-400-italic.woff2'];

type Exporter = Pick<Deps, 'db' | 'files' | 'now' | 'log'>;

/**
 * Everything of a couple, as the files of one archive: the originals under the names they had, an album that opens in
 * any browser without a network, tables for a spreadsheet, and `data/story.json`, by which it is brought back whole.
 */
export async function* exportEntries(exporter: Exporter, coupleId: CoupleId): AsyncGenerator<ZipEntry> {
  const { db, files, now, log } = exporter;
  const told = await readStory(db, coupleId, now());
  const places = archivePaths(told);
  const pictures = new Map<string, string>();
  const memories: StoryMemory[] = [];
  for (const memory of told.memories) {
    const place = places.get(memory.id) ?? '';
    const name = (size: 'original' | 'preview') => storedName(coupleId, memory.fileName, size);
    const original = await readOrNull(files.read(name('original')));
    if (original === null) {
      log.error({ memory: memory.id }, 'an export is without a photograph that is lost');
      memories.push(memory);
      continue;
    }
    const measuring = new DigestingReader();
    yield { name: place, source: Readable.from(measuring.of(original)), date: memory.uploadedAt, store: true };
    const found = measuring.result();
    // One that is no longer what was uploaded is told to be so: a changed photograph is better than none.
    const isWhole = sameDigest(found, { bytes: memory.fileSizeBytes, sha256: memory.sha256 });
    memories.push({ ...memory, file: place, changed: isWhole ? null : found });
    pictures.set(memory.id, place);
    if (memory.deletedAt !== null || memory.dateDeletedAt !== null) continue;
    const preview = await readOrNull(files.read(name('preview')));
    if (preview === null) continue;
    const path = `album/pictures/${memory.id}.webp`;
    yield { name: path, source: preview, date: memory.uploadedAt, store: true };
    pictures.set(memory.id, path);
  }
  const whole = { ...told, memories };
  yield* pages(whole, pictures, places);
}

async function* pages(
  told: Story,
  pictures: ReadonlyMap<string, string>,
  originals: ReadonlyMap<string, string>,
): AsyncGenerator<ZipEntry> {
  const date = told.exportedAt;
  const text = (name: string, content: string): ZipEntry => ({ name, source: Buffer.from(content), date });
  yield text('album.html', albumPage(told, pictures, originals));
  yield { name: 'album/album.css', source: await readFile(join(import.meta.dirname, 'album.css')), date };
  const require = createRequire(import.meta.url);
  for (const font of FONTS) {
    yield {
      name: `album/${font}`,
      source: await readFile(require.resolve(`@fontsource/newsreader/files/${font}`)),
      date,
    };
  }
  yield text('data/story.json', `${JSON.stringify(told, asInstants, 2)}\n`);
  yield text('data/date-ideas.csv', ideasCsv(told));
  yield text('data/planned-dates.csv', datesCsv(told));
  yield text('data/memories.csv', memoriesCsv(told));
  yield text('READ ME.txt', README);
}

/** Instants stand in our rows as milliseconds, and in the file as ISO. */
const INSTANTS = new Set([
  ...['exportedAt', 'createdAt', 'updatedAt', 'deletedAt', 'dateDeletedAt', 'uploadedAt', 'takenAt'],
  ...['plannedDateTime', 'endDateTime', 'actualStartTime', 'actualEndTime'],
]);

function asInstants(key: string, value: unknown): unknown {
  return INSTANTS.has(key) && typeof value === 'number' ? formatInstant(value) : value;
}

/** Where each memory's original lies in the archive: a folder for each date, by its day and title. */
export function archivePaths(told: Story): Map<string, string> {
  const ideas = new Map(told.dateIdeas.map((idea) => [idea.id, idea.title]));
  const folders = new UniqueNames();
  const dates = new Map(
    told.plannedDates.map((date) => {
      const day = dayOf(date.actualStartTime ?? date.plannedDateTime, told.couple.timeZone);
      const title = portableName(ideas.get(date.dateIdeaId) ?? '', 'Our date');
      const folder = { names: new UniqueNames(), path: `photos/${folders.take(`${day} ${title}`)}` };
      return [date.id, folder] as const;
    }),
  );
  const trash = { names: new UniqueNames(), path: 'photos/Recently deleted' };
  return new Map(
    told.memories.map((memory) => {
      const isDeleted = memory.deletedAt !== null || memory.dateDeletedAt !== null;
      const folder = (isDeleted ? undefined : dates.get(memory.plannedDateId)) ?? trash;
      return [memory.id, `${folder.path}/${folder.names.take(fileNameOf(memory))}`];
    }),
  );
}

/** The name it had on the device, with an ending that tells what it is. */
function fileNameOf({ originalFileName, fileExtension }: StoryMemory): string {
  const name = portableName(originalFileName, `photo${fileExtension}`);
  const endings = fileExtension === '.jpg' ? ['.jpg', '.jpeg'] : [fileExtension];
  return endings.some((ending) => name.toLowerCase().endsWith(ending)) ? name : `${name}${fileExtension}`;
}

async function readOrNull(reading: Promise<Readable>): Promise<Readable | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}

const iso = (at: number | null) => (at === null ? null : formatInstant(at));

function ideasCsv({ dateIdeas }: Story): string {
  const head = ['title', 'category', 'description', 'active', 'created', 'id'];
  const rows = dateIdeas.filter((idea) => idea.deletedAt === null);
  return toCsv(
    head,
    rows.map((idea) => [
      ...[idea.title, idea.category, idea.description, idea.isActive ? 'yes' : 'no', iso(idea.createdAt), idea.id],
    ]),
  );
}

function datesCsv({ plannedDates, dateIdeas }: Story): string {
  const titles = new Map(dateIdeas.map((idea) => [idea.id, idea.title]));
  const head = ['title', 'status', 'planned', 'until', 'started', 'ended', 'location', 'notes', 'id'];
  return toCsv(
    head,
    plannedDates
      .filter((date) => date.deletedAt === null)
      .map((date) => [
        ...[titles.get(date.dateIdeaId) ?? null, date.status, iso(date.plannedDateTime), iso(date.endDateTime)],
        ...[iso(date.actualStartTime), iso(date.actualEndTime), date.location, date.notes, date.id],
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
        ...[memory.file, memory.caption, iso(memory.takenAt), iso(memory.uploadedAt), memory.fileSizeBytes],
        ...[memory.sha256, memory.plannedDateId, memory.id, memory.changed === null ? null : 'yes'],
      ]),
  );
}

const README = `Our Love Story

album.html   Open it in a browser: our dates with their photographs. It needs no network.
photos/      Our photographs, as they came from our phones, a folder for each date.
data/        The same as tables for a spreadsheet (CSV), and story.json, which holds everything.

To bring it back into the app: npm run import -- FILE
`;
