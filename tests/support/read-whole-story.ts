import { createHash } from 'node:crypto';
import { Caller } from './caller.ts';
import type { Partner } from './partner.ts';

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
