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
    pictures.push([Buffer.from(await original.arrayBuffer()).toString('base64'), thumbnail.status]);
  }
  return { user: login.body.user, seen, pictures };
}

/** Creates data that is hard to preserve: emoji, line breaks, quotes, a memory in the trash. Returns the id of a date. */
export async function createSampleStory(ada: Partner, ben: Partner): Promise<string> {
  await ada.call('PUT /api/couple', { body: { togetherSince: '2019-06-01', timeZone: 'Europe/Rome' } });
  const done = await completeDate(ada, {
    idea: { title: 'Sternschnuppen & ☕', description: 'line one\nline two' },
    at: Date.now() - 86_400_000,
    minutes: 95,
    notes: 'we laughed, "a lot"',
  });
  await planDate(ben, { idea: { title: '👩‍❤️‍👨', category: 'Food' }, location: 'the café' });
  await addPhoto(ada, done.id, 1, 'you, asleep');
  await addPhoto(ben, done.id, 2);
  const gone = await addPhoto(ben, done.id, 3, 'in the trash');
  await ben.call('DELETE /api/Memories/{id}', { params: { id: gone.id } });
  return done.id;
}
