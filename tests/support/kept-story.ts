import type { Sharp } from 'sharp';
import sharp from 'sharp';
import type { Scene } from '../../scripts/seed/demo-data.ts';
import { photographOf } from '../../scripts/seed/photographs.ts';
import { DAY } from '../../src/base/durations.ts';
import { makePasskey } from './authenticator.ts';
import { completeDate, planDate, startDate } from './factories.ts';
import type { Partner } from './partner.ts';
import { readWholeStory } from './read-whole-story.ts';
import { createSampleStory } from './sample-story.ts';
import { upload } from './upload.ts';

/** What `GET` calls answer about a couple, beyond its whole story. */
const MORE_CALLS = [
  'GET /api/DateIdeas/active',
  'GET /api/PlannedDates/upcoming',
  'GET /api/PlannedDates/in-progress',
  'GET /api/PlannedDates/completed',
  'GET /api/Memories/months',
  'GET /api/Stats/time-together',
  'GET /api/Stats/dates',
  'GET /api/Stats/categories',
  'GET /api/Stats/achievements',
  'GET /api/Stats/records',
  'GET /api/auth/passkeys',
  'GET /api/reminders',
  'GET /api/calendar',
] as const;

/** Lets a couple use each feature whose data a release must keep: dates of each status, photographs of each format. */
export async function createKeptStory(ada: Partner, ben: Partner): Promise<void> {
  await createSampleStory(ada, ben);
  // A surprise that has begun. One that is still sealed would show by itself one day.
  await startDate(ben, { idea: { title: 'A walk' }, surprise: true });
  const cancelled = await planDate(ada, { idea: { title: 'Open-air cinema', category: 'Relaxing' }, notes: 'Rain' });
  await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id: cancelled.id } });
  const swim = { idea: { title: 'Swim before breakfast', category: 'Active' as const }, location: 'The harbor' };
  const { id } = await completeDate(ben, { ...swim, at: Date.now() - 40 * DAY, minutes: 610 });
  await addPhotographs(ben, id);
  const deleted = await completeDate(ada, { idea: { title: 'Deleted' }, at: Date.now() - 9 * DAY, minutes: 30 });
  await upload(ada, await (await photograph('lamps', 9)).jpeg().toBuffer(), {
    dateId: deleted.id,
    caption: 'with its date',
  });
  await ada.call('DELETE /api/PlannedDates/{id}', { params: { id: deleted.id } });
  const idea = { title: 'A concert', category: 'Cultural', isActive: false } as const;
  const key = { headers: { 'idempotency-key': crypto.randomUUID() } };
  await ada.call('POST /api/DateIdeas', { body: idea }, key);
  await ada.call('POST /api/Stats/celebrations', { body: { milestones: await earned(ada) } });
  await ada.call('PUT /api/reminders', { body: { tomorrow: false } });
  await ben.call('POST /api/calendar');
  await makePasskey(ben);
}

/** The ids of the milestones that the couple has earned. */
async function earned(who: Partner): Promise<string[]> {
  const { body } = await who.call('GET /api/Stats/celebrations');
  return body.map(({ id }) => id);
}

/** Adds a photograph in each format. */
async function addPhotographs(who: Partner, dateId: string): Promise<void> {
  const jpeg = (await photograph('sea', 1)).keepExif().jpeg({ quality: 80 });
  const webp = (await photograph('sea', 2)).keepExif().webp();
  const png = (await photograph('town', 3)).resize(200).png({ palette: true });
  const gif = (await photograph('hills', 4)).resize(160).gif();
  const files = [
    { name: 'IMG_2001.jpg', caption: 'Before the boats', bytes: jpeg },
    { name: 'IMG_2002.webp', caption: 'Salt in everything', bytes: webp },
    { name: 'Screenshot.png', bytes: png },
    { name: 'waves.gif', caption: 'You first 🌊', bytes: gif },
  ];
  for (const { bytes, ...form } of files) {
    const { status, problem } = await upload(who, await bytes.toBuffer(), { dateId, ...form });
    if (status !== 201) throw new Error(`${form.name} was refused: ${problem.message}`);
  }
}

/** A photograph of the demonstration couple, 480 pixels wide, with EXIF data. */
async function photograph(scene: Scene, number: number): Promise<Sharp> {
  return sharp(await photographOf(scene, number, '2026:10:14 07:41:09', '+02:00')).resize(480);
}

/** Reads everything that a couple can see, as each partner sees it. */
export async function readKeptStory(url: string, partners: readonly Partner[]): Promise<unknown> {
  const seen = [];
  for (const partner of partners) {
    const more = await Promise.all(MORE_CALLS.map(async (name) => [name, (await partner.call(name)).body]));
    seen.push({ story: await readWholeStory(url, partner), more });
  }
  // As JSON has it, in which the file keeps it.
  return JSON.parse(JSON.stringify(seen));
}
