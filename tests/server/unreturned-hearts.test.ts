import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallName } from '../../src/base/call.ts';
import { rowOf } from '../support/call-matrix.ts';
import { describeOnBoth } from '../support/engines.ts';
import { subscribeToEvents } from '../support/event-stream.ts';
import { addIdea, createFeed } from '../support/factories.ts';
import { createMarkedStory, type Theirs } from '../support/marked-story.ts';
import type { Partner } from '../support/partner.ts';
import { differences, READING, type Responses, readEverything, responseOf } from '../support/read-everything.ts';
import { registerCouple } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

/**
 * Proves that an unreturned heart leaves no trace for the partner: everything that the other can read is the
 * same to the byte before and after, on both engines. The calls come from the contracts, so a new one joins by itself.
 */
describeOnBoth('what a partner can read of the other’s hearts', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let story: Theirs;
  /** An idea without hearts. */
  let idea: string;
  /** The path of the partner's calendar. */
  let feed: string;
  beforeAll(async () => {
    const now = Date.now();
    app = await startTestApp(engine, { now: () => now, randomInt: () => 0 });
    ({ ada, ben } = await registerCouple(app));
    story = await createMarkedStory(ada, ben);
    // Previews are made in the background, unless a request needs one. An export has those that are there.
    for (const { id } of (await ada.call('GET /api/Memories')).body) {
      await ada.request('GET /api/Memories/{id}/image', { params: { id }, query: { size: 'preview' } });
    }
    // First by title, so that it would be picked.
    ({ id: idea } = await addIdea(ben, { title: 'A secret of hers', category: 'Romantic' }));
    const mutual = await addIdea(ada, { title: 'Zither lessons' });
    for (const who of [ada, ben]) await press(who, 'PUT', mutual.id);
    await press(ben, 'PUT', story.idea);
    feed = await createFeed(ben);
  });
  afterAll(() => app.close());

  const press = (who: Partner, method: 'PUT' | 'DELETE', id: string) =>
    who.call(`${method} /api/DateIdeas/{id}/heart`, { params: { id } });

  /** Everything that a partner can read, by call and path. */
  const everything = async (who: Partner): Promise<Responses> => {
    const seen = await readEverything(app, who, (name) => [...rowOf(name)(story), ...forIdea(name)], feed);
    // Writes that change nothing.
    const path = `/api/DateIdeas/${idea}`;
    const same = { title: 'A secret of hers', category: 'Romantic' };
    seen.set('an edit', await responseOf(who, 'PUT /api/DateIdeas/{id}', path, same));
    const guess = { milestones: [`mutual/${idea}/${ada.user.id}`, `mutual/${idea}/${ben.user.id}`] };
    seen.set('a guess', await responseOf(who, 'POST /api/Stats/celebrations', '/api/Stats/celebrations', guess));
    return seen;
  };
  /** The calls of the matrix for one idea, also with the secret one. */
  const forIdea = (name: CallName) => (/DateIdeas\/\{id\}/.test(name) ? [{ params: { id: idea } }] : []);

  it('covers every call of the contracts that reads', { tags: ['secrets.hearts.2'] }, async () => {
    const seen = await everything(ben);
    const names = new Set([...seen.keys()].map((call) => call.split(' ').slice(0, 2).join(' ')));
    expect(READING.filter((name) => !names.has(name))).toEqual([]);
    // Twice the same without a secret, so that a difference below means a leak.
    expect(differences(seen, await everything(ben))).toEqual([]);
  });

  describe('a heart that is not returned', () => {
    it('changes no byte of what the partner reads, whether it is put, there, or taken back', {
      tags: ['secrets.hearts.2'],
    }, async () => {
      const before = await everything(ben);
      for (const method of ['PUT', 'PUT', 'DELETE'] as const) {
        await press(ada, method, idea);
        expect(differences(before, await everything(ben))).toEqual([]);
      }
    });

    it('sends the partner nothing', { tags: ['secrets.hearts.2'] }, async () => {
      const stop = new AbortController();
      const headers = { authorization: `Bearer ${ben.token}` };
      const response = await fetch(`${app.url}/api/events`, { headers, signal: stop.signal });
      const text = textUntil(response.body as ReadableStream<Uint8Array>);
      const { id: first } = await addIdea(ada, { title: 'the first' });
      await text(first);
      for (const method of ['PUT', 'PUT', 'DELETE', 'PUT', 'DELETE'] as const) await press(ada, method, idea);
      const { id: last } = await addIdea(ada, { title: 'the last' });
      const change = { entity: 'dateIdea', id: last, action: 'created', by: ada.user.id };
      expect(await text(last)).toBe(`event: change\ndata: ${JSON.stringify(change)}\n\n`);
      stop.abort();
      for (const id of [first, last]) await ada.call('DELETE /api/DateIdeas/{id}', { params: { id } });
    });

    it('is on one’s own screens within a moment', async () => {
      const events = await subscribeToEvents(ada);
      await press(ada, 'PUT', idea);
      expect(await events.next()).toMatchObject({ entity: 'dateIdea', id: idea, action: 'updated', by: ada.user.id });
      events.close();
      const { body } = await ada.call('GET /api/DateIdeas/{id}', { params: { id: idea } });
      expect(body.hearts).toEqual({ mine: true, mutual: false });
      await press(ada, 'DELETE', idea);
    });
  });

  it('shows a heart that is returned, and only where ideas are shown', { tags: ['secrets.hearts.2'] }, async () => {
    await press(ben, 'PUT', idea);
    const before = await everything(ben);
    await press(ada, 'PUT', idea);
    expect(differences(before, await everything(ben))).toEqual([
      'GET /api/DateIdeas /api/DateIdeas',
      'GET /api/DateIdeas/active /api/DateIdeas/active',
      'GET /api/DateIdeas/category/{category} /api/DateIdeas/category/Romantic',
      'GET /api/DateIdeas/mutual /api/DateIdeas/mutual',
      'GET /api/DateIdeas/pick /api/DateIdeas/pick',
      `GET /api/DateIdeas/{id} /api/DateIdeas/${idea}`,
      'GET /api/Search /api/Search?q=a',
      'GET /api/Stats/celebrations /api/Stats/celebrations',
      'the export',
      'an edit',
      'a guess',
    ]);
  });
});

/** Reads a stream: returns the text since the last call up to the end of the event with this text, but no heartbeats. */
function textUntil(body: ReadableStream<Uint8Array>): (wanted: string) => Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  return async (wanted) => {
    for (;;) {
      const end = text.includes(wanted) ? text.indexOf('\n\n', text.indexOf(wanted)) : -1;
      if (end >= 0) {
        const found = text.slice(0, end + 2);
        text = text.slice(end + 2);
        return found.replaceAll(/^:\n\n/gm, '');
      }
      const { value, done } = await reader.read();
      if (done) throw new Error('The event stream ended');
      text += decoder.decode(value, { stream: true });
    }
  };
}
