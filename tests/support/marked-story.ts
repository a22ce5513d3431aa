import { DAY } from '../../src/base/durations.ts';
import { eachOptionalText } from '../../src/dates/optional-texts.ts';
import { makePasskey } from './authenticator.ts';
import { addIdea, addPhoto, completeDate, planDate, startDate } from './factories.ts';
import type { Partner } from './partner.ts';
import { createUpload, sendPart, uploadIdOf } from './tus.ts';

/** Part of every text of the other couple. If it appears in a reply, data has leaked. */
export const MARKER = 'between-us-alone';

/** The ids of the other couple's data, one of each kind. */
export interface Theirs {
  readonly idea: string;
  readonly planned: string;
  readonly running: string;
  readonly done: string;
  readonly memory: string;
  readonly fileName: string;
  readonly cursor: string;
  readonly trashedDate: string;
  readonly trashedMemory: string;
  readonly session: string;
  readonly passkey: string;
  readonly upload: string;
}

/** Creates data of every kind for a couple, with the marker in each of its texts. */
export async function createMarkedStory(ada: Partner, ben: Partner): Promise<Theirs> {
  const { id: idea } = await addIdea(ada, { title: `Idea ${MARKER}`, description: MARKER, category: 'Romantic' });
  const texts = { idea, ...eachOptionalText(() => MARKER) };
  const now = Date.now();
  const planned = await planDate(ben, { ...texts, at: now + DAY });
  const running = await startDate(ada, { ...texts, at: now });
  const done = await completeDate(ada, { ...texts, at: now - DAY, minutes: 90 });
  const trashedDate = await completeDate(ben, { ...texts, at: now - 2 * DAY, minutes: 30 });
  await addPhoto(ada, trashedDate.id, 1, MARKER);
  const memory = await addPhoto(ada, done.id, 2, MARKER);
  await addPhoto(ben, done.id, 3, MARKER);
  const note = { params: { id: done.id }, body: { text: MARKER } };
  for (const who of [ada, ben]) await who.call('PUT /api/PlannedDates/{id}/notes/mine', note);
  const trashedMemory = await addPhoto(ada, done.id, 4, MARKER);
  await ben.call('DELETE /api/PlannedDates/{id}', { params: { id: trashedDate.id } });
  await ada.call('DELETE /api/Memories/{id}', { params: { id: trashedMemory.id } });
  const page = await ada.call('GET /api/Memories', { query: { count: '1' } });
  const cursor = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '')?.[1];
  if (cursor === undefined) throw new Error('A list of two, one to a page, has no next page');
  const { body: sessions } = await ada.call('GET /api/auth/sessions');
  return {
    idea,
    planned: planned.id,
    running: running.id,
    done: done.id,
    memory: memory.id,
    fileName: memory.fileName,
    cursor: decodeURIComponent(cursor),
    trashedDate: trashedDate.id,
    trashedMemory: trashedMemory.id,
    session: sessions[0]?.id ?? '',
    passkey: (await makePasskey(ada)).passkey.id,
    upload: await begunUpload(ada, done.id),
  };
}

/** Starts a resumable upload and sends its first part. */
async function begunUpload(who: Partner, dateId: string): Promise<string> {
  const id = uploadIdOf(await createUpload(who, 1_000, { dateId, caption: MARKER, name: `${MARKER}.jpg` }));
  await sendPart(who, id, 0, Buffer.alloc(400));
  return id;
}
