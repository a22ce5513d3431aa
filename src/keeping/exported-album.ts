import { clockTime, type DateFormats, longDate, monthAndDay, stubDay } from '../base/date-formats.ts';
import { longDuration, minutesBetween } from '../base/durations.ts';
import { isHostAlone, splitLinks } from '../base/links.ts';
import { plural } from '../base/number-texts.ts';
import { factTexts } from '../dates/optional-texts.ts';
import { startOf } from '../dates/start-of.ts';
import { categoryName } from '../ideas/categories.ts';
import { BOTH_WANT_THIS } from '../ideas/hearts.ts';
import { happenedAt } from '../memories/happened-at.ts';
import { namedNotes, type Story, type StoryDate, type StoryMemory, titleOfDate } from './story.ts';

type Paths = ReadonlyMap<string, string>;

/** A date with everything its page shows. */
interface AlbumDate {
  readonly date: StoryDate;
  readonly title: string;
  readonly category: string;
  readonly memories: readonly StoryMemory[];
  readonly letters: readonly Letter[];
}

/** A note with the name of its writer. */
type Letter = ReturnType<typeof namedNotes>[number];

/**
 * Renders the album as one page of plain HTML without a script: past dates by year, then planned dates and ideas. The
 * page is read from a disk years from now, so it refers only to files of the archive. It is made piece by piece: that of an
 * album of twenty years has megabytes.
 * @param pictures path of the picture to show, by memory id; a memory without one is left out
 * @param originals path of the original, by memory id
 */
export function* exportedAlbum(story: Story, pictures: Paths, originals: Paths): Generator<string> {
  const style = styleOf(story);
  const { zone } = style;
  const dates = albumDates(story, pictures);
  const past = dates.filter(({ date, memories }) => hasStarted(date) || memories.length > 0);
  const ahead = dates.filter(({ date, memories }) => date.status === 'Planned' && memories.length === 0);
  const used = new Set(story.plannedDates.map((date) => date.dateIdeaId));
  const ideas = story.dateIdeas.filter((idea) => idea.deletedAt === null && !used.has(idea.id));
  const years = Map.groupBy(past, ({ date }) => stubDay(startOf(date), zone).year);
  yield head(names(story));
  yield cover(story, past, style);
  for (const [year, ofYear] of years) {
    const pages = ofYear.map((one) => () => datePage(one, style, { pictures, originals }));
    yield* section(year, pages);
  }
  if (ahead.length > 0) yield* section('Still to come', [() => tickets(ahead, style)]);
  if (ideas.length > 0) yield* section('Things we might do', [() => ideaCards(ideas)]);
  yield foot(`Kept on ${longDate(story.exportedAt, zone, style.formats)}`);
}

/** How the album's dates and times read: in the couple's zone, and as its exporter reads them. */
interface Style {
  readonly zone: string;
  readonly formats: DateFormats;
}

function styleOf({ couple, partners, exportedBy }: Story): Style {
  return { zone: couple.timeZone, formats: partners.find(({ id }) => id === exportedBy)?.formats ?? 'us' };
}

function albumDates(story: Story, pictures: Paths): AlbumDate[] {
  const ideas = new Map(story.dateIdeas.map((idea) => [idea.id, idea]));
  const titles = new Map(story.dateIdeas.map(({ id, title }) => [id, title]));
  const shown = story.memories.filter(
    ({ id, deletedAt, dateDeletedAt }) => deletedAt === null && dateDeletedAt === null && pictures.has(id),
  );
  const byDate = Map.groupBy(shown, (memory) => memory.plannedDateId);
  const lettersByDate = Map.groupBy(namedNotes(story), (note) => note.plannedDateId);
  return story.plannedDates
    .filter((date) => date.deletedAt === null)
    .map((date) => {
      const idea = date.dateIdeaId === null ? undefined : ideas.get(date.dateIdeaId);
      const memories = (byDate.get(date.id) ?? []).toSorted(
        (a, b) => happenedAt(a, date) - happenedAt(b, date) || a.uploadedAt - b.uploadedAt,
      );
      return {
        date,
        title: titleOfDate(date, titles) ?? 'Our date',
        category: idea === undefined ? '' : categoryName(idea.category),
        memories,
        letters: lettersByDate.get(date.id) ?? [],
      };
    })
    .sort((a, b) => startOf(a.date) - startOf(b.date));
}

function hasStarted({ status }: StoryDate): boolean {
  return status === 'Completed' || status === 'InProgress';
}

function minutesOf({ actualStartTime, actualEndTime }: StoryDate): number {
  return actualStartTime === null || actualEndTime === null ? 0 : minutesBetween(actualStartTime, actualEndTime);
}

function names({ partners }: Story): string {
  return partners.map(({ displayName }) => displayName).join(' & ');
}

function cover(story: Story, past: readonly AlbumDate[], { formats }: Style): string {
  const { togetherSince } = story.couple;
  const completed = past.filter(({ date }) => date.status === 'Completed');
  const minutes = completed.reduce((sum, { date }) => sum + minutesOf(date), 0);
  const memories = past.reduce((sum, one) => sum + one.memories.length, 0);
  const since = togetherSince === null ? '' : `, since ${longDate(Date.parse(togetherSince), 'UTC', formats)}`;
  // A name from right to left leaves the order of the other.
  const markedNames = story.partners.map(({ displayName }) => `<bdi>${text(displayName)}</bdi>`).join(' &amp; ');
  const figure = (value: string, label: string) => `<div><dd>${value}</dd><dt>${label}</dt></div>`;
  return `<header class="cover">
<h1>Our Love Story</h1>
<p class="names">${markedNames}${since}</p>
<dl class="figures">
${figure(minutes === 0 ? '0 hours' : longDuration(minutes), 'Time Together')}
${figure(String(completed.length), completed.length === 1 ? 'Date Completed' : 'Dates Completed')}
${figure(String(memories), memories === 1 ? 'Memory Created' : 'Memories Created')}
</dl>
</header>
`;
}

function datePage(one: AlbumDate, style: Style, paths: { pictures: Paths; originals: Paths }): string {
  return `<div class="date">\n${ticket(one, style, 'h3')}\n${prints(one, paths)}${letters(one, style)}</div>`;
}

function* section(name: string, parts: readonly (() => string)[]): Generator<string> {
  yield `<section>\n<h2>${text(name)}</h2>\n`;
  for (const part of parts) yield `${part()}\n`;
  yield '</section>\n';
}

function tickets(dates: readonly AlbumDate[], style: Style): string {
  return `<div class="tickets">\n${dates.map((one) => ticket(one, style, 'h3')).join('\n')}\n</div>`;
}

/** Renders a date as a ticket: stamped when it is completed, with a stub otherwise. */
function ticket({ date, title, category, memories }: AlbumDate, { zone, formats }: Style, heading: 'h3'): string {
  const at = startOf(date);
  const { weekday, day, month, year } = stubDay(at, zone);
  const minutes = minutesOf(date);
  const facts = [
    longDate(at, zone, formats),
    [clockTime(at, zone, formats), minutes > 0 ? longDuration(minutes) : null].filter(Boolean).join(' · '),
    ...factTexts(date).map(({ text }) => text),
    memories.length === 0 ? null : plural(memories.length, 'memory', 'memories'),
  ];
  const end =
    date.status === 'Completed'
      ? `<p class="stamp" aria-hidden="true"><span>${monthAndDay(at, zone, formats)}</span><b>Completed</b><span>${year}</span></p>`
      : `<p class="stub" aria-hidden="true"><span>${weekday}</span><b>${day}</b><span>${month}</span></p>`;
  return `<article class="ticket ${date.status.toLowerCase()}">
${end}
<div class="words">
${category === '' ? '' : `<p class="category">${text(category)}</p>\n`}<${heading}>${text(title)}</${heading}>
<ul class="facts">${facts.map((fact) => (fact === null ? '' : `<li>${linked(fact)}</li>`)).join('')}</ul>
${date.notes === null ? '' : `<p class="notes">${linked(date.notes)}</p>`}
</div>
</article>`;
}

/** Renders a date's photographs as prints in their own proportions. Each links to its original. */
function prints(
  { memories, title }: AlbumDate,
  { pictures, originals }: { pictures: Paths; originals: Paths },
): string {
  if (memories.length === 0) return '';
  const print = (memory: StoryMemory) => {
    const { id, caption, width, height } = memory;
    const words = caption === null ? '' : `<figcaption>${text(caption)}</figcaption>`;
    return `<figure style="--ratio:${(width / height).toFixed(3)}"><a href="${path(originals.get(id))}"><img src="${path(pictures.get(id))}" width="${width}" height="${height}" alt="${text(caption ?? title)}" loading="lazy" decoding="async"></a>${words}</figure>`;
  };
  return `<div class="prints">\n${memories.map(print).join('\n')}\n</div>\n`;
}

/** Renders what the partners want to remember of a date. */
function letters({ letters }: AlbumDate, { zone, formats }: Style): string {
  if (letters.length === 0) return '';
  const letter = ({ text: words, by, hearts, writtenAt }: Letter) =>
    `<blockquote><p class="aside">${longDate(writtenAt, zone, formats)}</p><p>${text(words)}</p><footer>${text(by)}${
      hearts === null ? '' : ` <span role="img" aria-label="${plural(hearts, 'heart')}">${'♥'.repeat(hearts)}</span>`
    }</footer></blockquote>`;
  return `<div class="letters">\n${letters.map(letter).join('\n')}\n</div>\n`;
}

function ideaCards(ideas: Story['dateIdeas']): string {
  const card = ({ title, description, category, hearts }: Story['dateIdeas'][number]) =>
    `<article class="idea"><p class="category">${text(categoryName(category))}</p><h3>${text(title)}</h3>${
      hearts.mutual ? `<p class="both">${BOTH_WANT_THIS}</p>` : ''
    }${description === null ? '' : `<p>${linked(description)}</p>`}</article>`;
  return `<div class="ideas">\n${ideas.map(card).join('\n')}\n</div>`;
}

function head(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Our Love Story · ${text(title)}</title>
<link rel="stylesheet" href="album/album.css">
</head>
<body>
<main>
`;
}

function foot(words: string): string {
  return `<footer><p>${text(words)}</p></footer>
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a user's text for HTML. */
function text(raw: string): string {
  return raw.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

/** Escapes a user's text for HTML, with its web addresses as links (screens.links.3). */
function linked(raw: string): string {
  return splitLinks(raw)
    .map((piece) => {
      if (typeof piece === 'string') return text(piece);
      const host = isHostAlone(piece) ? '' : ` <small>${text(piece.host)}</small>`;
      return `<a href="${text(piece.href)}" rel="noopener" dir="ltr">${text(piece.text)}</a>${host}`;
    })
    .join('');
}

/** Turns a path in the archive into a URL relative to the page. */
function path(raw: string | undefined): string {
  return text((raw ?? '').split('/').map(encodeURIComponent).join('/'));
}
