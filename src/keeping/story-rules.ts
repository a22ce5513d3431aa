import { emailKey } from '../auth/rules.ts';
import { endTimeError, startTimeError } from '../dates/complete-rules.ts';
import { plannedTimeError, TIME_ERRORS } from '../dates/rules.ts';
import type { Story, StoryDate } from './story.ts';

/**
 * Checks what the schema can't: duplicate ids, references to nothing, and times that the app would have refused.
 * @param now milliseconds
 * @returns the first fault as a sentence, or null
 */
export function storyFault(story: Story, now: number): string | null {
  const { partners, dateIdeas, plannedDates, memories, notes } = story;
  const ideas = idsOf(dateIdeas);
  const dates = idsOf(plannedDates);
  const shown = memories.filter(({ deletedAt }) => deletedAt === null);
  const faults = [
    twice('partners.id', partners, ({ id }) => id),
    twice('partners.email', partners, ({ email }) => emailKey(email)),
    twice('dateIdeas.id', dateIdeas, ({ id }) => id),
    twice('plannedDates.id', plannedDates, ({ id }) => id),
    twice('memories.id', memories, ({ id }) => id),
    twice('memories.fileName', memories, ({ fileName }) => fileName),
    twice('memories.sha256 of one date', shown, ({ plannedDateId, sha256 }) => `${sha256} in ${plannedDateId}`),
    first(plannedDates, (date) => ideaFault(date, ideas), 'plannedDates'),
    first(memories, ({ plannedDateId }) => (dates.has(plannedDateId) ? null : 'its date is missing'), 'memories'),
    first(plannedDates, (date) => timeFault(date, now), 'plannedDates'),
    exporterFault(story) ?? first(dateIdeas, (idea) => heartFault(idea, story), 'dateIdeas'),
    first(plannedDates, (date) => surpriseFault(date, story), 'plannedDates'),
    twice('notes of one partner', notes, ({ plannedDateId, userId }) => `${userId} about ${plannedDateId}`),
    noteFault(story),
    twice('leftNotes', story.leftNotes, ({ plannedDateId }) => plannedDateId),
    leftNoteFault(story),
  ];
  return faults.find((fault) => fault !== null) ?? null;
}

function twice<T>(name: string, all: readonly T[], keyOf: (one: T) => string): string | null {
  const seen = new Set<string>();
  for (const one of all) {
    const key = keyOf(one);
    if (seen.has(key)) return `${name}: ${key} occurs twice`;
    seen.add(key);
  }
  return null;
}

function first<T extends { id: string }>(
  all: readonly T[],
  listedFileFault: (one: T) => string | null,
  name: string,
): string | null {
  for (const one of all) {
    const fault = listedFileFault(one);
    if (fault !== null) return `${name}, ${one.id}: ${fault}`;
  }
  return null;
}

function exporterFault({ exportedBy, partners }: Story): string | null {
  const isKnown = exportedBy === null || partners.some(({ id }) => id === exportedBy);
  return isKnown ? null : `exportedBy: ${exportedBy} is not one of the partners`;
}

function heartFault({ hearts: { mine, mutual } }: Story['dateIdeas'][number], story: Story): string | null {
  if (mine && story.exportedBy === null) return 'Nobody is named whose heart it has';
  return mutual && (!mine || story.partners.length < 2) ? 'Its heart is returned by nobody' : null;
}

/** Only a surprise that the exporter may not know has no idea. */
function ideaFault({ dateIdeaId, surprise }: StoryDate, ideas: ReadonlySet<string>): string | null {
  const isKnown = dateIdeaId === null ? isUnknown(surprise) : ideas.has(dateIdeaId);
  return isKnown ? null : 'its idea is missing';
}

function isUnknown(surprise: StoryDate['surprise']): boolean {
  return surprise !== null && !surprise.mine && !surprise.revealed;
}

function surpriseFault({ surprise }: StoryDate, { exportedBy, partners }: Story): string | null {
  if (surprise === null) return null;
  if (exportedBy === null) return 'Nobody is named who plans or gets the surprise';
  return surprise.mine || partners.length > 1 ? null : 'Nobody plans the surprise';
}

const idsOf = (all: readonly { readonly id: string }[]): ReadonlySet<string> => new Set(all.map(({ id }) => id));

function noteFault({ partners, plannedDates, notes }: Story): string | null {
  const users = idsOf(partners);
  const dates = idsOf(plannedDates);
  const lost = notes.find(({ plannedDateId, userId }) => !dates.has(plannedDateId) || !users.has(userId));
  if (lost === undefined) return null;
  return `notes, ${lost.plannedDateId}: its ${dates.has(lost.plannedDateId) ? 'writer' : 'date'} is missing`;
}

/**
 * A note of a partner who has left belongs to the one who exported. The note that opened it may be gone: with an older
 * server, it could still be taken back.
 */
function leftNoteFault({ exportedBy, partners, plannedDates, leftNotes }: Story): string | null {
  if (leftNotes.length === 0) return null;
  if (!partners.some(({ id }) => id === exportedBy)) return 'leftNotes: the one who exported is missing';
  const dates = idsOf(plannedDates);
  const lost = leftNotes.find(({ plannedDateId }) => !dates.has(plannedDateId));
  return lost === undefined ? null : `leftNotes, ${lost.plannedDateId}: its date is missing`;
}

function timeFault(date: StoryDate, now: number): string | null {
  const { status, plannedDateTime, endDateTime, actualStartTime: start, actualEndTime: end } = date;
  if (endDateTime !== null && endDateTime <= plannedDateTime) return TIME_ERRORS.endBeforeStart;
  const isMissing = (status === 'InProgress' || status === 'Completed') && start === null;
  if (isMissing || (status === 'Completed' && end === null)) return 'Its actual times are missing';
  const ofEnd = end === null ? undefined : endTimeError(start, end, now);
  return plannedTimeError(plannedDateTime, now) ?? startTimeError(start) ?? ofEnd ?? null;
}
