import { plural } from '../base/text.ts';
import { clockTime, longDate, longDuration, minutesBetween, monthAndDay, stubDay } from '../base/time.ts';
import { categoryName } from '../ideas/rules.ts';
import type { Story, StoryDate, StoryMemory } from './story.ts';

type Paths = ReadonlyMap<string, string>;

/** A date with what stands beside it on its page. */
interface AlbumDate {
  readonly date: StoryDate;
  readonly title: string;
  readonly category: string;
  readonly memories: readonly StoryMemory[];
}

/**
 * The album as one page of plain HTML, without a script, from the first date to the last; what is still to come and
 * what we might do stand at its end. It is read from a disk, in years: so it names nothing but its own files.
 * @param pictures where what is shown of a memory lies; a memory without is left out
 * @param originals where its original lies
 */
export function albumPage(told: Story, pictures: Paths, originals: Paths): string {
  const { timeZone: zone } = told.couple;
  const dates = albumDates(told, pictures);
  const lived = dates.filter(({ date, memories }) => hasStarted(date) || memories.length > 0);
  const ahead = dates.filter(({ date }) => date.status === 'Planned' && !lived.some((one) => one.date === date));
  const used = new Set(told.plannedDates.map((date) => date.dateIdeaId));
  const ideas = told.dateIdeas.filter((idea) => idea.deletedAt === null && !used.has(idea.id));
  const years = Map.groupBy(lived, ({ date }) => stubDay(startOf(date), zone).year);
  return page(
    names(told),
    [
      cover(told, lived),
      ...[...years].map(([year, ofYear]) => yearSection(year, ofYear, zone, { pictures, originals })),
      ahead.length === 0 ? '' : section('Still to come', tickets(ahead, zone)),
      ideas.length === 0 ? '' : section('Things we might do', ideaCards(ideas)),
    ].join('\n'),
    `Kept on ${longDate(told.exportedAt, zone)}`,
  );
}

function albumDates(told: Story, pictures: Paths): AlbumDate[] {
  const ideas = new Map(told.dateIdeas.map((idea) => [idea.id, idea]));
  const shown = told.memories.filter(
    ({ id, deletedAt, dateDeletedAt }) => deletedAt === null && dateDeletedAt === null && pictures.has(id),
  );
  const byDate = Map.groupBy(shown, (memory) => memory.plannedDateId);
  return told.plannedDates
    .filter((date) => date.deletedAt === null)
    .map((date) => {
      const idea = ideas.get(date.dateIdeaId);
      const memories = (byDate.get(date.id) ?? []).toSorted(
        (a, b) => (a.takenAt ?? a.uploadedAt) - (b.takenAt ?? b.uploadedAt) || a.uploadedAt - b.uploadedAt,
      );
      return { date, title: idea?.title ?? 'Our date', category: categoryName(idea?.category ?? ''), memories };
    })
    .sort((a, b) => startOf(a.date) - startOf(b.date));
}

function hasStarted({ status }: StoryDate): boolean {
  return status === 'Completed' || status === 'InProgress';
}

function startOf(date: StoryDate): number {
  return date.actualStartTime ?? date.plannedDateTime;
}

function minutesOf({ actualStartTime, actualEndTime }: StoryDate): number {
  return actualStartTime === null || actualEndTime === null ? 0 : minutesBetween(actualStartTime, actualEndTime);
}

function names({ partners }: Story): string {
  return partners.map(({ displayName }) => displayName).join(' & ');
}

function cover(told: Story, lived: readonly AlbumDate[]): string {
  const { togetherSince } = told.couple;
  const completed = lived.filter(({ date }) => date.status === 'Completed');
  const minutes = completed.reduce((sum, { date }) => sum + minutesOf(date), 0);
  const memories = lived.reduce((sum, one) => sum + one.memories.length, 0);
  const since = togetherSince === null ? '' : `, since ${longDate(Date.parse(togetherSince), 'UTC')}`;
  const figure = (value: string, label: string) => `<div><dd>${value}</dd><dt>${label}</dt></div>`;
  return `<header class="cover">
<h1>Our Love Story</h1>
<p class="names">${text(names(told))}${since}</p>
<dl class="figures">
${figure(minutes === 0 ? '0 hours' : longDuration(minutes), 'Time Together')}
${figure(String(completed.length), completed.length === 1 ? 'Date Completed' : 'Dates Completed')}
${figure(String(memories), memories === 1 ? 'Memory Created' : 'Memories Created')}
</dl>
</header>`;
}

function yearSection(
  year: string,
  dates: readonly AlbumDate[],
  zone: string,
  paths: { pictures: Paths; originals: Paths },
): string {
  const pages = dates.map((one) => `<div class="date">\n${ticket(one, zone, 'h3')}\n${prints(one, paths)}</div>`);
  return section(year, pages.join('\n'));
}

function section(name: string, content: string): string {
  return `<section>\n<h2>${text(name)}</h2>\n${content}\n</section>`;
}

function tickets(dates: readonly AlbumDate[], zone: string): string {
  return `<div class="tickets">\n${dates.map((one) => ticket(one, zone, 'h3')).join('\n')}\n</div>`;
}

/** A date as its ticket: stamped when it is completed, with its stub otherwise. */
function ticket({ date, title, category, memories }: AlbumDate, zone: string, heading: 'h3'): string {
  const at = startOf(date);
  const { weekday, day, month, year } = stubDay(at, zone);
  const minutes = minutesOf(date);
  const facts = [
    longDate(at, zone),
    [clockTime(at, zone), minutes > 0 ? longDuration(minutes) : null].filter(Boolean).join(' · '),
    date.location,
    memories.length === 0 ? null : plural(memories.length, 'memory', 'memories'),
  ];
  const end =
    date.status === 'Completed'
      ? `<p class="stamp" aria-hidden="true"><span>${monthAndDay(at, zone)}</span><b>Completed</b><span>${year}</span></p>`
      : `<p class="stub" aria-hidden="true"><span>${weekday}</span><b>${day}</b><span>${month}</span></p>`;
  return `<article class="ticket ${date.status.toLowerCase()}">
${end}
<div class="words">
<p class="category">${text(category)}</p>
<${heading}>${text(title)}</${heading}>
<ul class="facts">${facts.map((fact) => (fact === null ? '' : `<li>${text(fact)}</li>`)).join('')}</ul>
${date.notes === null ? '' : `<p class="notes">${text(date.notes)}</p>`}
</div>
</article>`;
}

/** A date's photographs, each a print in its own proportions that leads to its original. */
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

function ideaCards(ideas: Story['dateIdeas']): string {
  const card = ({ title, description, category }: Story['dateIdeas'][number]) =>
    `<article class="idea"><p class="category">${text(categoryName(category))}</p><h3>${text(title)}</h3>${
      description === null ? '' : `<p>${text(description)}</p>`
    }</article>`;
  return `<div class="ideas">\n${ideas.map(card).join('\n')}\n</div>`;
}

function page(title: string, content: string, foot: string): string {
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
${content}
<footer><p>${text(foot)}</p></footer>
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

/** A text of theirs, which is never markup. */
function text(raw: string): string {
  return raw.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

/** A path within the archive, as an address relative to the page. */
function path(raw: string | undefined): string {
  return text((raw ?? '').split('/').map(encodeURIComponent).join('/'));
}
