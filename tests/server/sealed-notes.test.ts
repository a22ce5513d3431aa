import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { HOUR } from '../../src/base/durations.ts';
import { CALLS, rowOf } from '../support/call-matrix.ts';
import { describeOnBoth } from '../support/engines.ts';
import { readEvents } from '../support/event-stream.ts';
import { unzip } from '../support/export-archive.ts';
import { completeDate } from '../support/factories.ts';
import { createMarkedStory, type Theirs } from '../support/marked-story.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { type SpawnedServer, spawnServer } from '../support/spawn-server.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';

/**
 * A sealed note reaches nobody but its writer. The partner makes every GET of every contract,
 * taken from the matrix of calls, so that a new call is tested too.
 */

/** A word of the sealed note. It is in no other text. */
const SECRET = 'xylophone-quince';
/** What the note is changed to. */
const OTHER_SECRET = 'bassoon-medlar';

/** A reply, in all that the partner can see of it. */
type Reply = Readonly<Record<'status' | 'body' | 'headers', string>>;

describeOnBoth('a sealed note', (engine) => {
  let storage: TestStorage;
  let server: SpawnedServer;
  let ada: Partner;
  let ben: Partner;
  let story: Theirs;
  let date: string;
  /** Everything that Ben's open page receives. */
  let events = '';
  const stopEvents = new AbortController();

  beforeAll(async () => {
    storage = await createTestStorage(engine);
    server = await spawnServer(storage, { env: { LOG_LEVEL: 'trace' } });
    ({ ada, ben } = await registerCouple(server));
    story = await createMarkedStory(ada, ben);
    date = (await completeDate(ada, { at: Date.now() - HOUR, minutes: 30 })).id;
    const stream = await fetch(`${server.url}/api/events`, {
      headers: { authorization: `Bearer ${ben.token}` },
      signal: stopEvents.signal,
    });
    const listen = async () => {
      if (stream.body === null) throw new Error('No event stream');
      for await (const event of readEvents(stream.body.getReader())) events += JSON.stringify(event);
    };
    listen().catch(() => undefined);
  });
  afterAll(async () => {
    stopEvents.abort();
    await server.kill();
    await storage.remove();
  });

  beforeEach(() => write(ada, `A ${SECRET}.`));

  const write = async (who: Partner, text: string) => {
    const { status } = await who.call('PUT /api/PlannedDates/{id}/notes/mine', {
      params: { id: date },
      body: { text, hearts: 5 },
    });
    expect(status).toBe(200);
  };

  /** Makes every GET as a partner. Returns the replies by call and input. */
  const readEverything = async (who: Partner): Promise<Map<string, Reply>> => {
    const replies = new Map<string, Reply>();
    for (const [name] of CALLS.filter(([name]) => name.startsWith('GET '))) {
      // Ids of dates lead to the date of the note too.
      const attempts = rowOf(name)(story).flatMap(({ params, query }) => {
        const ofNote = (given: object) =>
          Object.fromEntries(
            Object.entries(given).map(([key, value]) => [key, value === story.done ? date : (value as string)]),
          );
        return [
          { params, query },
          { params: params && ofNote(params), query: query && ofNote(query) },
        ];
      });
      for (const attempt of attempts) {
        const { status, body, headers } = await who.request(name, attempt);
        const seen = [...headers].filter(([header]) => header !== 'date');
        replies.set(`${name} ${JSON.stringify(attempt)}`, {
          status: String(status),
          // Each request has its own id.
          body: JSON.stringify(body)?.replace(/"requestId":"[^"]*"/, '') ?? '',
          headers: JSON.stringify(seen),
        });
      }
    }
    return replies;
  };

  const expectNoSecret = (text: string, where: string) => {
    for (const secret of [SECRET, OTHER_SECRET]) expect(text.includes(secret), where).toBe(false);
  };

  it('is not in the partner’s export, and is in its writer’s', { tags: ['secrets.notes.1'] }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'our-love-story-sealed-'));
    const exported = async (who: Partner) => {
      const { body } = await who.call('POST /api/export');
      const path = join(folder, `${who.user.displayName}.zip`);
      await writeFile(path, Buffer.from(await (await fetch(server.url + body.url)).arrayBuffer()));
      return [...(await unzip(path))].map(([name, bytes]) => `${name} ${bytes.toString()}`).join('\n');
    };
    expectNoSecret(await exported(ben), 'the export');
    expect(await exported(ada)).toContain(SECRET);
    await rm(folder, { recursive: true });
  });

  it('is in no reply to the partner', { tags: ['secrets.notes.1'] }, async () => {
    const replies = await readEverything(ben);
    expect(replies.size).toBeGreaterThan(40);
    for (const [name, reply] of replies) expectNoSecret(JSON.stringify(reply), name);
    // The walk does reach the note: its writer finds it.
    const own = JSON.stringify([...(await readEverything(ada))]);
    expect(own).toContain(SECRET);
  });

  it('is changed without a trace in any reply to the partner', { tags: ['secrets.notes.1'] }, async () => {
    const [first, second] = [await readEverything(ben), await readEverything(ben)];
    await write(ada, `A ${OTHER_SECRET}, and a good deal more than before.`);
    const third = await readEverything(ben);
    for (const [name, reply] of second) {
      // A reply that varies by itself, such as one with the time, can't be compared; nor one that counts wrong codes.
      const isStable = JSON.stringify(first.get(name)) === JSON.stringify(reply);
      if (isStable && !name.includes('{code}')) expect(third.get(name), name).toEqual(reply);
      expectNoSecret(JSON.stringify(third.get(name)), name);
    }
    for (const name of ['GET /api/PlannedDates/{id}/notes', 'GET /api/PlannedDates/{id}', 'GET /api/PlannedDates']) {
      const isOfNote = (one: string) => one.startsWith(`${name} `) && (one.includes(date) || !name.includes('{'));
      const key = [...second.keys()].find(isOfNote) ?? '';
      expect(second.get(key)?.status, name).toBe('200');
      expect(first.get(key), name).toEqual(second.get(key));
    }
  });

  it('is in no event and no line of the log', { tags: ['secrets.notes.1'] }, async () => {
    await expect.poll(() => events).toContain(date);
    expectNoSecret(events, 'the events');
    const log = server.output();
    expect(log).toContain('/notes/mine');
    expectNoSecret(log, 'the log');
  });
});
