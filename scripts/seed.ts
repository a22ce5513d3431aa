import { createApp } from '../src/app/server/app.ts';
import { DAY, HOUR, MINUTE } from '../src/base/durations.ts';
import { formatInstant } from '../src/base/instants.ts';
import { readConfig } from '../src/base/server/process/config.ts';
import { serverZone } from '../src/base/server/process/server-zone.ts';
import type { Scene, SeedDate } from './seed/demo-data.ts';
import { captions, dates, hearts, ideas, ofElias } from './seed/demo-data.ts';
import { notes } from './seed/notes.ts';
import { photographOf } from './seed/photographs.ts';

/**
 * `npm run seed`: creates a demonstration couple with 40 dates and 200 photographs, through the app's own
 * calls, while the app's clock advances from their first evening to today. Stops without changing anything if someone
 * has already registered.
 */

const NORA = { email: 'nora@example.org', displayName: 'Nora', password: 'demonstration only' };
const ELIAS = { email: 'elias@example.org', displayName: 'Elias', password: 'demonstration only' };
const TOGETHER_SINCE_DAYS = 995;
/** When they began to use the app: after their first dates. */
const REGISTERED_DAYS = 910;

/** How many photographs of each scene there are so far. */
const taken = new Map<Scene, number>();
let clock = Date.now();
const today = Date.now();
const app = await createApp(
  { ...readConfig(process.env), registration: 'first', host: '127.0.0.1', port: 0, logLevel: 'silent' },
  { now: () => clock },
);
const url = await app.listen();

interface SeedResponse {
  readonly status: number;
  readonly body: { id: string; token: string; code: string };
}

async function send(
  method: string,
  path: string,
  token: string | null,
  body?: object | FormData,
): Promise<SeedResponse> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  if (body !== undefined && !(body instanceof FormData)) headers['content-type'] = 'application/json';
  const response = await fetch(url + path, {
    method,
    headers,
    body: body === undefined || body instanceof FormData ? (body ?? null) : JSON.stringify(body),
  });
  const reply =
    response.status === 204 ? null : ((await response.json()) as SeedResponse['body'] & { message?: string });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${reply?.message ?? ''}`);
  return { status: response.status, body: reply as SeedResponse['body'] };
}

/** Signs in again and returns the token. Called often, because sessions expire as the clock advances. */
async function signIn({ email, password }: { email: string; password: string }): Promise<string> {
  return (await send('POST', '/api/auth/login', null, { email, password })).body.token;
}

async function registerCouple(): Promise<void> {
  const { body } = await send('POST', '/api/auth/register', null, { ...NORA, timeZone: serverZone() });
  const since = new Date(today - TOGETHER_SINCE_DAYS * DAY).toISOString().slice(0, 10);
  await send('PUT', '/api/couple', body.token, { togetherSince: since });
  const invitation = await send('POST', '/api/auth/invitations', body.token);
  await send('POST', '/api/auth/join', null, { ...ELIAS, code: invitation.body.code });
}

/** When a date begins: its hour in local time. Hour -1 means two hours ago. */
function startOf(date: SeedDate): number {
  if (date.hour === -1) return today - 2 * HOUR;
  const at = new Date(today + date.day * DAY);
  return at.setHours(date.hour, date.day === 0 ? 30 : 0, 0, 0);
}

function exifTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', ':');
}

/** @param uploadedAt when the first of them is uploaded; the others follow */
async function addPhotos(
  partner: typeof NORA,
  id: string,
  date: SeedDate,
  { start, uploadedAt }: { readonly start: number; readonly uploadedAt: number },
): Promise<void> {
  clock = Math.min(today, uploadedAt);
  const token = await signIn(partner);
  for (let i = 0; i < date.photos; i += 1) {
    const number = taken.get(date.scene) ?? 0;
    taken.set(date.scene, number + 1);
    const takenAt = exifTime(start + ((i + 0.5) * date.minutes * MINUTE) / date.photos);
    const photograph = new Uint8Array(await photographOf(date.scene, number, takenAt, '+00:00'));
    const form = new FormData();
    form.set('PlannedDateId', id);
    const sceneCaptions = captions[date.scene];
    if (i % 3 !== 2) form.set('Caption', sceneCaptions[(i + Math.abs(date.day)) % sceneCaptions.length] as string);
    const name = `IMG_${2000 + Math.abs(date.day) + 13 * i}.jpg`;
    form.set('ImageFile', new File([photograph], name, { type: 'image/jpeg' }));
    if (i === 0 && date.misspelled !== undefined) form.set('Caption', date.misspelled);
    clock = Math.min(today, uploadedAt + i * 1_000);
    const { body } = await send('POST', '/api/Memories', token, form);
    if (i > 0 || date.misspelled === undefined) continue;
    // As 'Edit Memory' does.
    await send('PUT', `/api/Memories/${body.id}`, token, { caption: sceneCaptions[0] });
  }
}

/** Corrects when a date began, as 'Correct What Happened' does. */
async function correctStart(id: string, date: SeedDate, start: number): Promise<void> {
  clock += HOUR;
  await send('PUT', `/api/PlannedDates/${id}/record`, await signIn(NORA), {
    actualStartTime: formatInstant(start),
    actualEndTime: formatInstant(start + date.minutes * MINUTE),
    location: date.location,
    notes: date.notes,
  });
}

/** Writes what each partner wants to remember of a date, an hour after it. */
async function addNotes(id: string, { day }: SeedDate, end: number): Promise<void> {
  const { nora, elias } = notes.find((one) => one.day === day) ?? {};
  clock = end + HOUR;
  if (nora) await send('PUT', `/api/PlannedDates/${id}/notes/mine`, await signIn(NORA), nora);
  clock += 12 * MINUTE;
  if (elias) await send('PUT', `/api/PlannedDates/${id}/notes/mine`, await signIn(ELIAS), elias);
}

async function addDate(date: SeedDate, ideaId: string, index: number): Promise<void> {
  const start = startOf(date);
  const end = start + date.minutes * MINUTE;
  // Dates are planned three days ahead at the latest; future ones within the last forty hours.
  clock = Math.min(start - 3 * DAY, today - (40 - index) * HOUR);
  const partner = index % 2 === 0 ? NORA : ELIAS;
  if (date.isAddedLater) return addPastDate(partner, date, ideaId);
  // A token expires after an hour, so each jump of the clock needs a new one.
  let token = await signIn(partner);
  const { body: planned } = await send('POST', '/api/PlannedDates', token, {
    dateIdeaId: ideaId,
    plannedDateTime: formatInstant(start),
    endDateTime: formatInstant(end),
    location: date.location,
    notes: date.notes,
    surprise: date.surprise,
  });
  if (date.status === 'cancelled') await send('POST', `/api/PlannedDates/${planned.id}/cancel`, token);
  if (date.status === 'cancelled' || date.status === 'planned') return;
  clock = start + 4 * MINUTE;
  token = await signIn(partner);
  await send('POST', `/api/PlannedDates/${planned.id}/start`, token);
  if (date.status === 'completed') {
    clock = end + 10 * MINUTE;
    token = await signIn(partner);
    await send('POST', `/api/PlannedDates/${planned.id}/complete`, token, {
      actualEndTime: formatInstant(end + 5 * MINUTE),
    });
  }
  await addPhotos(partner, planned.id, date, { start, uploadedAt: end + 20 * MINUTE });
  if (date.status === 'completed') await addNotes(planned.id, date, end);
  if (date.beganEarlier !== undefined) await correctStart(planned.id, date, start - date.beganEarlier * MINUTE);
  if (date.day === ofElias.doesNotLookBackOn) {
    await send('PUT', `/api/PlannedDates/${planned.id}/look-back`, await signIn(ELIAS), { shown: false });
  }
}

/** Adds a date that happened before the couple had the app, as 'Add a Past Date' does, and its photographs and notes. */
async function addPastDate(partner: typeof NORA, date: SeedDate, ideaId: string): Promise<void> {
  const start = startOf(date);
  const end = start + date.minutes * MINUTE;
  clock = today - (REGISTERED_DAYS - 1) * DAY;
  const { body } = await send('POST', '/api/PlannedDates/past', await signIn(partner), {
    dateIdeaId: ideaId,
    actualStartTime: formatInstant(start),
    actualEndTime: formatInstant(end + 5 * MINUTE),
    location: date.location,
    notes: date.notes,
  });
  const uploadedAt = clock + 5 * MINUTE;
  await addPhotos(partner, body.id, date, { start, uploadedAt });
  await addNotes(body.id, date, uploadedAt);
}

async function addHearts(ids: ReadonlyMap<string, string>): Promise<void> {
  for (const [partner, titles] of [[NORA, hearts.nora] as const, [ELIAS, hearts.elias] as const]) {
    const token = await signIn(partner);
    for (const title of titles) await send('PUT', `/api/DateIdeas/${ids.get(title)}/heart`, token);
  }
}

async function seed(): Promise<void> {
  const status = (await (await fetch(`${url}/api/auth/status`)).json()) as { registration: string };
  if (status.registration !== 'first') {
    throw new Error(
      'Someone has already registered here. The demonstration needs an empty database: set DATA_DIR to a new folder.',
    );
  }
  clock = today - REGISTERED_DAYS * DAY;
  await registerCouple();
  const ids = new Map<string, string>();
  for (const [i, idea] of ideas.entries()) {
    // The last three are recent, so that their cards are marked as new.
    clock = i >= ideas.length - 3 ? today - (ideas.length - i) * DAY : today - REGISTERED_DAYS * DAY + i * HOUR;
    const { body } = await send('POST', '/api/DateIdeas', await signIn(NORA), { ...idea, isActive: true });
    ids.set(idea.title, body.id);
  }
  for (const [i, date] of dates.entries()) {
    process.stderr.write(`Adding date ${i + 1} of ${dates.length} …\n`);
    await addDate(date, ids.get(date.idea) as string, i);
  }
  clock = today;
  for (const idea of ideas.filter(({ isActive }) => isActive === false)) {
    await send('PUT', `/api/DateIdeas/${ids.get(idea.title)}`, await signIn(ELIAS), idea);
  }
  await addHearts(ids);
  await send('PUT', '/api/auth/profile', await signIn(ELIAS), { formats: ofElias.formats });
}

try {
  await seed();
  const photos = dates.reduce((sum, date) => sum + date.photos, 0);
  process.stdout.write(
    `Seeded ${ideas.length} ideas, ${dates.length} dates and ${photos} photographs.\nSign in as ${NORA.email} or ${ELIAS.email}; the password is '${NORA.password}'.\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await app.close();
}
