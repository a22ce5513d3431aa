import { formatInstant } from '../base/instants.ts';
import { OPTIONAL_TEXTS, optionalTextNames } from '../dates/optional-texts.ts';
import { happenedAt, takenAtOf } from '../memories/happened-at.ts';
import { toCsv } from './csv.ts';
import { exportedAlbum } from './exported-album.ts';
import { namedNotes, type Story, type StoryMemory, titleOfDate } from './story.ts';

/**
 * The files of an export besides the photographs, each in small pieces, so that those of a long story hold up nobody.
 * @param pictures path of the picture to show in the album, by memory id
 * @param originals path of the original, by memory id
 */
export function exportedStoryFiles(
  story: Story,
  pictures: ReadonlyMap<string, string>,
  originals: ReadonlyMap<string, string>,
): { readonly name: string; readonly pieces: Iterable<string> }[] {
  return [
    { name: 'album.html', pieces: exportedAlbum(story, pictures, originals) },
    { name: 'data/story.json', pieces: storyJson(story) },
    { name: 'data/date-ideas.csv', pieces: ideasCsv(story) },
    { name: 'data/planned-dates.csv', pieces: datesCsv(story) },
    { name: 'data/memories.csv', pieces: memoriesCsv(story) },
    { name: 'data/notes.csv', pieces: notesCsv(story) },
    { name: 'READ ME.txt', pieces: [README] },
  ];
}

/** Formats a story as JSON, with a row of its lists in a line. */
function* storyJson(story: Story): Generator<string> {
  let before = '{\n';
  for (const [name, value] of Object.entries(story)) {
    yield `${before}${JSON.stringify(name)}: `;
    before = ',\n';
    if (Array.isArray(value)) yield* listJson(value);
    else yield JSON.stringify(asInstants(name, value), asInstants);
  }
  yield '\n}\n';
}

function* listJson(rows: readonly unknown[]): Generator<string> {
  let before = '[\n  ';
  for (const row of rows) {
    yield before + JSON.stringify(row, asInstants);
    before = ',\n  ';
  }
  yield rows.length === 0 ? '[]' : '\n]';
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
  'correctedTakenAt',
  'plannedDateTime',
  'endDateTime',
  'actualStartTime',
  'actualEndTime',
  'writtenAt',
]);

function asInstants(key: string, value: unknown): unknown {
  return INSTANTS.has(key) && typeof value === 'number' ? formatInstant(value) : value;
}

const iso = (at: number | null) => (at === null ? null : formatInstant(at));

function ideasCsv({ dateIdeas }: Story): Iterable<string> {
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

function datesCsv({ plannedDates, dateIdeas }: Story): Iterable<string> {
  const titles = new Map(dateIdeas.map((idea) => [idea.id, idea.title]));
  const texts = optionalTextNames.map((name) => OPTIONAL_TEXTS[name].label.toLowerCase());
  const head = ['title', 'status', 'planned', 'until', 'started', 'ended', ...texts, 'id', 'surprise'];
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
        ...optionalTextNames.map((name) => date[name]),
        date.id,
        date.surprise === null ? null : date.surprise.mine ? 'mine' : 'theirs',
      ]),
  );
}

function memoriesCsv({ memories, plannedDates }: Story): Iterable<string> {
  const dates = new Map(plannedDates.map((date) => [date.id, date]));
  const happened = (memory: StoryMemory) => {
    const date = dates.get(memory.plannedDateId);
    return date === undefined ? null : iso(happenedAt(memory, date));
  };
  const head = ['file', 'caption', 'happened', 'taken', 'uploaded', 'bytes', 'sha256', 'planned date', 'id', 'changed'];
  return toCsv(
    head,
    memories
      .filter((memory) => memory.deletedAt === null && memory.dateDeletedAt === null)
      .map((memory) => [
        memory.file,
        memory.caption,
        happened(memory),
        iso(takenAtOf(memory)),
        iso(memory.uploadedAt),
        memory.fileSizeBytes,
        memory.sha256,
        memory.plannedDateId,
        memory.id,
        memory.changed === null ? null : 'yes',
      ]),
  );
}

function notesCsv(story: Story): Iterable<string> {
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
