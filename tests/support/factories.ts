import { DAY } from '../../src/base/durations.ts';
import type { PlannedDate } from '../../src/dates/contract.ts';
import { eachOptionalText, type OptionalTextForm } from '../../src/dates/optional-texts.ts';
import type { CategoryValue } from '../../src/ideas/categories.ts';
import type { DateIdea } from '../../src/ideas/contract.ts';
import type { Memory } from '../../src/memories/contract.ts';
import type { Caller } from './caller.ts';
import type { Partner } from './partner.ts';

/* Creates test data through the API. A function that makes a call throws if the call fails. */
export interface IdeaParts {
  readonly title?: string;
  readonly description?: string;
  readonly category?: CategoryValue;
  readonly isActive?: boolean;
}

export interface PlanParts extends Partial<OptionalTextForm> {
  /** The id of an idea, or the properties of a new one. */
  readonly idea?: string | IdeaParts;
  /** Milliseconds or ISO 8601. */
  readonly at?: number | string;
  readonly end?: number | string;
  readonly surprise?: boolean;
}

/** Adds an idea. */
export async function addIdea(who: Caller, parts: IdeaParts = {}): Promise<DateIdea> {
  const body = { title: 'Picnic by the lake', category: 'Outdoor' as const, ...parts };
  const { status, body: idea } = await who.call('POST /api/DateIdeas', { body });
  return unwrap(status, idea);
}

/** Plans a date, tomorrow by default. */
export async function planDate(who: Caller, parts: PlanParts = {}): Promise<PlannedDate> {
  const { idea = {}, at = Date.now() + DAY, end, surprise } = parts;
  const dateIdeaId = typeof idea === 'string' ? idea : (await addIdea(who, idea)).id;
  const body = {
    ...eachOptionalText((name) => parts[name]),
    dateIdeaId,
    plannedDateTime: iso(at),
    surprise,
    endDateTime: end === undefined ? null : iso(end),
  };
  const { status, body: date } = await who.call('POST /api/PlannedDates', { body });
  return unwrap(status, date);
}

/** Plans a date for tomorrow and returns its id. */
export async function planDateId(caller: Caller, title = 'A walk by the river'): Promise<string> {
  return (await planDate(caller, { idea: { title } })).id;
}

/** Plans a date and starts it. */
export async function startDate(who: Caller, parts: PlanParts = {}): Promise<PlannedDate> {
  const { id } = await planDate(who, parts);
  const { status, body } = await who.call('POST /api/PlannedDates/{id}/start', { params: { id } });
  return unwrap(status, body);
}

/** Plans, starts and completes a date that began at `at` and lasted `minutes`. */
export async function completeDate(
  who: Caller,
  parts: PlanParts & { readonly at: number | string; readonly minutes: number },
): Promise<PlannedDate> {
  const { id } = await startDate(who, parts);
  const start = new Date(parts.at).getTime();
  const body = { actualStartTime: iso(start), actualEndTime: iso(start + parts.minutes * 60_000) };
  const { status, body: date } = await who.call('POST /api/PlannedDates/{id}/complete', { params: { id }, body });
  return unwrap(status, date);
}

/** The form for uploading a small photograph. Different seeds give different photographs. */
export async function smallPhotoForm(dateId: string, seed = 1, caption?: string): Promise<FormData> {
  const form = new FormData();
  form.set('PlannedDateId', dateId);
  if (caption !== undefined) form.set('Caption', caption);
  // Loaded here, because the tests of components use the other functions in a browser.
  const { makeJpeg } = await import('./images.ts');
  const jpeg = await makeJpeg({ width: 40, height: 30, seed });
  form.set('ImageFile', new Blob([Uint8Array.from(jpeg)], { type: 'image/jpeg' }), `photo-${seed}.jpg`);
  return form;
}

/** Uploads a small photograph. */
export async function addPhoto(who: Caller, dateId: string, seed = 1, caption?: string): Promise<Memory> {
  const { status, body } = await who.call('POST /api/Memories', { body: await smallPhotoForm(dateId, seed, caption) });
  return unwrap(status, body);
}

function iso(time: number | string): string {
  return new Date(time).toISOString();
}

function unwrap<T>(status: number, thing: T): T {
  if (status >= 300) throw new Error(`Refused with ${status}: ${JSON.stringify(thing)}`);
  return thing;
}

/** Creates a partner's calendar link. @returns its path */
export async function createFeed(who: Partner): Promise<string> {
  return new URL((await who.call('POST /api/calendar')).body.url).pathname;
}
