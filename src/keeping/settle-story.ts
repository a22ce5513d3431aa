import { emailKey } from '../auth/rules.ts';
import { endTimeError, startTimeError } from '../dates/complete-form.ts';
import { EARLIEST_PAST } from '../dates/past-rules.ts';
import { plannedTimeError, TIME_ERRORS } from '../dates/rules.ts';
import { NO_HEARTS } from '../ideas/hearts.ts';
import type { ReadStory } from './parse-story.ts';
import type { Story, StoryDate, StoryIdea, StoryMemory } from './story.ts';

/** What a story can't be imported with, as a sentence: two partners who can't be told apart. Null if there is nothing. */
export function partnersFault({ partners }: Story): string | null {
  const twin = partners.find(({ id, email }, index) =>
    partners.some((other, at) => at < index && (other.id === id || emailKey(other.email) === emailKey(email))),
  );
  return twin === undefined ? null : `The two partners are the same: ${twin.email}.`;
}

/**
 * Settles what the schemas can't see: rows that occur twice, rows that refer to nothing, and times that contradict each
 * other. A row is left out only if it can't be stored beside the others.
 * @param now milliseconds
 * @returns the story that can be stored, with a sentence on each row that isn't as it was, or that the app would refuse
 */
export function settleStory(told: Story, now: number): ReadStory {
  const notices: string[] = [];
  const notice = (place: string, fault: string) => void notices.push(`${place}: ${fault}`);
  /** Keeps the first row of each key. */
  const once = <T>(place: string, rows: readonly T[], keyOf: (row: T) => string): T[] => {
    const keys = new Set<string>();
    return rows.filter((row) => {
      const key = keyOf(row);
      const isNew = !keys.has(key);
      keys.add(key);
      if (!isNew) notice(place, `${key} occurs twice. It is imported once.`);
      return isNew;
    });
  };
  const users = idsOf(told.partners);
  const isStranger = told.exportedBy !== null && !users.has(told.exportedBy);
  if (isStranger) notice('exportedBy', 'This is not one of the partners.');
  const exportedBy = isStranger ? null : told.exportedBy;
  const story = { ...told, exportedBy };

  const dateIdeas = once('dateIdeas', told.dateIdeas, ({ id }) => id).map((idea) => settledIdea(idea, story, notice));
  const ideas = idsOf(dateIdeas);
  const plannedDates = once('plannedDates', told.plannedDates, ({ id }) => id).map((date) =>
    settledDate(date, { story, ideas, now }, notice),
  );
  const dates = idsOf(plannedDates);
  /** Keeps the rows about a date of the story. */
  const ofDates = <T extends { plannedDateId: string }>(place: string, rows: readonly T[]): T[] =>
    rows.filter((row) => {
      const isKnown = dates.has(row.plannedDateId);
      if (!isKnown) notice(`${place} of ${row.plannedDateId}`, 'Its date is missing. It is not imported.');
      return isKnown;
    });
  const notes = ofDates('notes', told.notes).filter((note) => {
    if (!users.has(note.userId)) notice(`notes of ${note.plannedDateId}`, 'Its writer is missing. It is not imported.');
    return users.has(note.userId);
  });
  const leftNotes = exportedBy === null ? [] : ofDates('leftNotes', told.leftNotes);
  if (leftNotes.length < told.leftNotes.length && exportedBy === null)
    notice('leftNotes', 'The one who exported is missing. They are not imported.');
  return {
    story: {
      ...story,
      dateIdeas,
      plannedDates,
      memories: distinct(ofDates('memories', told.memories), once),
      notes: once('notes', notes, ({ plannedDateId, userId }) => `${userId} about ${plannedDateId}`),
      leftNotes: once('leftNotes', leftNotes, ({ plannedDateId }) => plannedDateId),
    },
    notices,
  };
}

type Notice = (place: string, fault: string) => void;

const idsOf = (all: readonly { readonly id: string }[]): ReadonlySet<string> => new Set(all.map(({ id }) => id));

/** A date has the same photograph once, besides copies in the trash. */
function distinct(
  memories: readonly StoryMemory[],
  once: (place: string, rows: readonly StoryMemory[], keyOf: (row: StoryMemory) => string) => StoryMemory[],
): StoryMemory[] {
  const byId = once('memories', memories, ({ id }) => id);
  const byName = once('memories', byId, ({ fileName }) => fileName);
  return once('memories', byName, ({ id, plannedDateId, sha256, deletedAt }) =>
    deletedAt === null ? `${sha256} in ${plannedDateId}` : id,
  );
}

function settledIdea(idea: StoryIdea, { partners, exportedBy }: Story, notice: Notice): StoryIdea {
  const { mine, mutual } = idea.hearts;
  const isPossible = (!mine || exportedBy !== null) && (!mutual || (mine && partners.length > 1));
  if (isPossible) return idea;
  notice(`dateIdeas, ${idea.id}`, 'Nobody is named whose heart it has. It is imported without.');
  return { ...idea, hearts: NO_HEARTS };
}

interface DatePlace {
  readonly story: Story;
  readonly ideas: ReadonlySet<string>;
  readonly now: number;
}

function settledDate(date: StoryDate, { story, ideas, now }: DatePlace, notice: Notice): StoryDate {
  const tell = (fault: string) => notice(`plannedDates, ${date.id}`, fault);
  const { exportedBy, partners } = story;
  let { dateIdeaId, surprise } = date;
  if (surprise !== null && (exportedBy === null || (!surprise.mine && partners.length < 2))) {
    tell('Nobody is named who plans the surprise. It is imported as another date.');
    surprise = null;
  }
  // Only a surprise that the exporter may not know has no idea.
  const isUnknown = surprise !== null && !surprise.mine && !surprise.revealed;
  if (dateIdeaId === null ? !isUnknown : !ideas.has(dateIdeaId)) {
    tell('Its idea is missing. It is imported with a new one.');
    dateIdeaId = null;
  }
  const times = settledTimes(date);
  const fault = timeFault(date, now);
  if (fault !== null) tell(`${fault}.`);
  return { ...date, ...times, dateIdeaId, surprise };
}

/** What the app would say of the times of a date; null if nothing. */
function timeFault(date: StoryDate, now: number): string | null {
  const { status, plannedDateTime, endDateTime, actualStartTime: start, actualEndTime: end } = date;
  if (endDateTime !== null && endDateTime <= plannedDateTime) return TIME_ERRORS.endBeforeStart;
  const isMissing = (status === 'InProgress' || status === 'Completed') && start === null;
  if (isMissing || (status === 'Completed' && end === null)) return 'Its actual times are missing';
  const ofEnd = end === null ? undefined : endTimeError(start, end, now);
  const tooEarly = plannedTimeError(plannedDateTime, now) ?? startTimeError(start);
  // A date that has happened may be from long before the app.
  const isOldPast = status === 'Completed' && Math.min(plannedDateTime, start ?? plannedDateTime) >= EARLIEST_PAST;
  const ofStart = isOldPast && tooEarly !== TIME_ERRORS.tooLate ? undefined : tooEarly;
  return ofStart ?? ofEnd ?? null;
}

/** The times, so that none that must be there is missing, and no duration is negative. */
function settledTimes(date: StoryDate): Pick<StoryDate, 'endDateTime' | 'actualStartTime' | 'actualEndTime'> {
  const { status, plannedDateTime } = date;
  const endDateTime = date.endDateTime !== null && date.endDateTime > plannedDateTime ? date.endDateTime : null;
  const hasStarted = status === 'InProgress' || status === 'Completed';
  const start = date.actualStartTime ?? (hasStarted ? plannedDateTime : null);
  const end = date.actualEndTime ?? (status === 'Completed' ? (endDateTime ?? start) : null);
  return {
    endDateTime,
    actualStartTime: start,
    actualEndTime: start !== null && end !== null ? Math.max(start, end) : end,
  };
}
