import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import PQueue from 'p-queue';
import type { Deps } from '../../../base/server/deps.ts';
import { DigestingReader, type FileDigest, isSameDigest } from '../../../base/server/files/digest.ts';
import { FileMissing, type Files, nullIfMissing } from '../../../base/server/files/files.ts';
import { inChunks } from '../../../base/server/files/in-chunks.ts';
import { readStored } from '../../../base/server/files/read-stored.ts';
import { writeDurably } from '../../../base/server/files/write-durably.ts';
import type { Viewer } from '../../../base/server/visibility.ts';
import { storedName } from '../../../memories/server/stored-names.ts';
import { ArchivePaths } from '../../archive-paths.ts';
import { exportedStoryFiles } from '../../exported-story-files.ts';
import type { StoryMemory } from '../../story.ts';
import { memoriesSeenUntil, readDatesAndIdeas, readStory } from '../story-store.ts';
import type { ZipEntry } from './zip.ts';

const FONTS = ['newsreader-latin-400-normal.woff2', 'newsreader-latin-400-italic.woff2'];

type Exporter = Pick<Deps, 'db' | 'files' | 'now' | 'log'>;

/** What an archive has of a memory. */
interface Archived {
  /** The path of the original; null if the server has lost it. */
  readonly path: string | null;
  /** The path of the picture for the album. */
  readonly picture: string | null;
  /** The size and hash of the file, if it isn't the original. */
  readonly changed: FileDigest | null;
}

const LOST: Archived = { path: null, picture: null, changed: null };

/**
 * Yields the files of an export for one partner: the originals under their own names, an album that opens in any browser
 * without a network, CSV tables, and `data/story.json`, from which an import restores everything. It has the photographs
 * that were uploaded before it began, and the story as it is at the end. While the reader takes the photographs, only
 * their paths are held: the story is read after them, and written to temporary files.
 */
export async function* exportEntries(exporter: Exporter, viewer: Viewer): AsyncGenerator<ZipEntry> {
  const { db, now } = exporter;
  const startedAt = now();
  const paths = new ArchivePaths(await readDatesAndIdeas(db, viewer, startedAt));
  const archived = new Map<string, Archived>();
  for await (const memory of memoriesSeenUntil(db.read, viewer, startedAt, now)) {
    archived.set(memory.id, yield* photographEntries(exporter, viewer, memory, paths.take(memory)));
  }
  yield* dataEntries(exporter, viewer, archived);
}

/** Yields the original of a memory and its picture for the album. */
async function* photographEntries(
  { files, log }: Exporter,
  { coupleId }: Viewer,
  memory: StoryMemory,
  path: string,
): AsyncGenerator<ZipEntry, Archived> {
  const name = (size: 'original' | 'preview') => storedName(coupleId, memory.fileName, size);
  const original = await openReadable(files, name('original'));
  if (original === null) {
    log.error({ memory: memory.id }, 'an export lacks a photograph that is lost');
    return LOST;
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
  const isWhole = isSameDigest(found, { bytes: memory.fileSizeBytes, sha256: memory.sha256 });
  if (!isWhole) log.error({ memory: memory.id }, 'an export holds a photograph that has changed or breaks off');
  const result = { path, picture: path, changed: isWhole ? null : found };
  if (memory.deletedAt !== null || memory.dateDeletedAt !== null) return result;
  // Small, and read to its end first: a part of it would replace the whole original in the album.
  const preview = await nullIfMissing(buffer(readStored(files, name('preview'))));
  if (preview === null) return result;
  const picture = `album/pictures/${memory.id}.webp`;
  yield { name: picture, source: preview, date: memory.uploadedAt, store: true };
  return { ...result, picture };
}

/** One story in memory at a time: it may have a hundred thousand photographs. */
const writing = new PQueue({ concurrency: 1 });

async function* dataEntries(
  exporter: Exporter,
  viewer: Viewer,
  archived: ReadonlyMap<string, Archived>,
): AsyncGenerator<ZipEntry> {
  const date = exporter.now();
  const written: { name: string; path: string }[] = [];
  try {
    await writing.add(() => writeStoryFiles(exporter, viewer, archived, written));
    for (const { name, path } of written) yield { name, source: createReadStream(path), date };
  } finally {
    for (const { path } of written) await rm(path, { force: true });
  }
  yield { name: 'album/album.css', source: await readFile(join(import.meta.dirname, 'album.css')), date };
  const require = createRequire(import.meta.url);
  for (const font of FONTS) {
    const source = await readFile(require.resolve(`@fontsource/newsreader/files/${font}`));
    yield { name: `album/${font}`, source, date };
  }
}

/** Writes the story to temporary files, and notes each in `written`. */
async function writeStoryFiles(
  { db, files, now }: Exporter,
  viewer: Viewer,
  archived: ReadonlyMap<string, Archived>,
  written: { name: string; path: string }[],
): Promise<void> {
  const story = await readStory(db, viewer.coupleId, viewer.userId, now());
  const pictures = new Map<string, string>();
  const originals = new Map<string, string>();
  const memories = story.memories.flatMap((memory) => {
    const found = archived.get(memory.id);
    if (found === undefined) return [];
    if (found.picture !== null) pictures.set(memory.id, found.picture);
    if (found.path !== null) originals.set(memory.id, found.path);
    return [{ ...memory, file: found.path, changed: found.changed }];
  });
  for (const { name, pieces } of exportedStoryFiles({ ...story, memories }, pictures, originals)) {
    const path = files.temporary();
    written.push({ name, path });
    await writeDurably(path, () => inChunks(pieces));
  }
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
