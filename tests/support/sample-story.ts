import { createHash } from 'node:crypto';
import type { PlannedDate } from '../../src/dates/contract.ts';
import { eachOptionalText } from '../../src/dates/optional-texts.ts';
import { Caller, type Partner } from './client.ts';
import { addPhoto, completeDate, planDate } from './factories.ts';

/** Reads everything that a partner can see, to compare two servers. */
export async function readWholeStory(url: string, partner: Partner): Promise<unknown> {
  const login = await new Caller(url).call('POST /api/auth/login', {
    body: { email: partner.email, password: partner.password },
  });
  const caller = new Caller(url, login.body.token);
  const lists = [
    'GET /api/DateIdeas',
    'GET /api/PlannedDates',
    'GET /api/Memories',
    'GET /api/Trash',
    'GET /api/Stats',
  ] as const;
  const seen = await Promise.all(lists.map(async (name) => [name, (await caller.call(name)).body]));
  const { body: memories } = await caller.call('GET /api/Memories');
  const pictures = [];
  for (const { imageUrl, thumbnailUrl } of memories) {
    const headers = { authorization: `Bearer ${caller.token}` };
    const original = await fetch(url + imageUrl, { headers });
    const thumbnail = await fetch(url + thumbnailUrl, { headers });
    const sha256 = createHash('sha256')
      .update(await original.bytes())
      .digest('hex');
    pictures.push([sha256, thumbnail.status]);
  }
  const { body: completed } = await caller.call('GET /api/PlannedDates/completed');
  const notes = [];
  for (const { id } of completed) {
    notes.push((await caller.call('GET /api/PlannedDates/{id}/notes', { params: { id } })).body);
  }
  return { user: login.body.user, seen, pictures, notes };
}

/** A story without the times of the trash, which start again with a copy. */
export function withoutTrashTimes(story: unknown): unknown {
  const isTime = (key: string) => key === 'deletedAt' || key === 'expiresAt';
  return JSON.parse(JSON.stringify(story, (key, value: unknown) => (isTime(key) ? undefined : value)));
}

/** Creates data that is hard to preserve: emoji, line breaks of every kind, quotes, hearts of both and of one, a surprise, a memory in the trash. Returns the id of a date. */
export async function createSampleStory(ada: Partner, ben: Partner): Promise<string> {
  await ada.call('PUT /api/couple', { body: { togetherSince: '2019-06-01', timeZone: 'Europe/Rome' } });
  const done = await completeDate(ada, {
    idea: { title: 'Sternschnuppen & ☕', description: 'line one\nline two\u2028line three\u2029line four' },
    at: Date.now() - 86_400_000,
    minutes: 95,
    ...eachOptionalText((name) => `${name}, "quoted"\n=1+1`),
    notes: 'we laughed, "a lot"',
  });
  const planned = await planDate(ben, { idea: { title: '👩‍❤️‍👨', category: 'Food' }, location: 'the café' });
  await planDate(ben, { idea: { title: 'Kept quiet' }, location: 'behind the mill', notes: 'not yet', surprise: true });
  const heart = (who: Partner, { dateIdea: { id } }: PlannedDate) =>
    who.call('PUT /api/DateIdeas/{id}/heart', { params: { id: id as string } });
  await heart(ada, done);
  await heart(ben, done);
  await heart(ben, planned);
  await addPhoto(ada, done.id, 1, 'you, asleep');
  await addPhoto(ben, done.id, 2);
  const gone = await addPhoto(ben, done.id, 3, 'in the trash');
  await ben.call('DELETE /api/Memories/{id}', { params: { id: gone.id } });
  const note = (who: Partner, text: string, hearts: number | null) =>
    who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: done.id }, body: { text, hearts } });
  await note(ada, 'One wish each, "more or less".\nI know yours. 🌠', 5);
  await note(ben, '=You don’t.', null);
  return done.id;
}
