import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallName, fillPath, splitName } from '../../src/base/call.ts';
import { HOUR, MINUTE } from '../../src/base/durations.ts';
import type { CoupleId } from '../../src/base/ids.ts';
import { recordDamagedFile } from '../../src/keeping/server/integrity/scrub-store.ts';
import type { Memory } from '../../src/memories/contract.ts';
import { type Attempt, CALLS, rowOf } from '../support/call-matrix.ts';
import { countQueries } from '../support/count-queries.ts';
import { describeOnBoth, onSqliteOnly } from '../support/engines.ts';
import { readEvents } from '../support/event-stream.ts';
import { unzip } from '../support/export-archive.ts';
import { addIdea, addPhoto, createFeed, planDate } from '../support/factories.ts';
import { interruptAfterQuery } from '../support/interrupt-after-query.ts';
import { createMarkedStory, type Theirs } from '../support/marked-story.ts';
import type { Partner } from '../support/partner.ts';
import { differences, READING, type Responses, readEverything, responseOf } from '../support/read-everything.ts';
import { registerCouple } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createUpload, readUploadStatus, sendPart, uploadIdOf } from '../support/tus.ts';

/**
 * Proves that a surprise tells the partner nothing but its time. The partner makes every call of every
 * contract, taken from the matrix of calls, so that a new call is tested too: with words that occur nowhere else in the
 * hidden fields, and compared to the byte before and after the planner changes them. It is one story, in this order.
 */

/** The parts of a response that are read on their own: the fields of an object, or the whole, with its headers. */
function partsOf(response: string): Map<string, string> {
  const [head = '', body = ''] = response.split('\n');
  if (!body.startsWith('{')) return new Map([['the whole', response]]);
  const fields = Object.entries(JSON.parse(body) as object).map(
    ([field, value]) => [field, JSON.stringify(value)] as const,
  );
  return new Map([['the status', head.slice(0, 3)], ...fields]);
}

/** Each hidden field has a word of its own, and so has a deleted idea that only a surprise refers to. */
const WORDS = {
  location: 'mangosteen-alley',
  notes: 'glockenspiel-at-nine',
  caption: 'velociraptor-cake',
  changed: 'hurdy-gurdy-instead',
  idea: 'ostrich-ballet',
  description: 'with-a-flugelhorn',
} as const;

/** Calls that change no date, idea or memory. Some of them would end Ben's session, and an export has a test of its own. */
const WITHOUT_DATES = /^\w+ \/api\/(auth|couple|calendar|reminders|export|Stats\/celebrations)(\/|$)/;

describeOnBoth('a surprise that is not revealed', { shuffle: false }, (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let story: Theirs;
  let feed: string;
  let now = Date.now();
  /** The idea that both know, with one plan that Ben knows of. */
  let idea: string;
  let planned: string;
  let surprise: string;
  let photo: Memory;
  let trashedPhoto: Memory;
  /** A resumable upload of which a part has arrived. */
  let upload: string;
  /** Everything that Ben's open page receives. */
  const events: unknown[] = [];
  const stopEvents = new AbortController();

  beforeAll(async () => {
    app = await startTestApp(engine, { now: () => now, randomInt: () => 0 });
    ({ ada, ben } = await registerCouple(app));
    story = await createMarkedStory(ada, ben);
    for (const { id } of (await ada.call('GET /api/Memories')).body) {
      await ada.request('GET /api/Memories/{id}/image', { params: { id }, query: { size: 'preview' } });
    }
    ({ id: idea } = await addIdea(ada, { title: 'Aviary at dusk', description: 'With scones', category: 'Cultural' }));
    ({ id: planned } = await planDate(ben, { idea, at: now + 48 * HOUR }));
    feed = await createFeed(ben);
    const secret = await addIdea(ada, { title: WORDS.idea, description: WORDS.description });
    await planDate(ada, { idea: secret.id, at: now + 31 * HOUR, surprise: true });
    await ada.call('DELETE /api/DateIdeas/{id}', { params: { id: secret.id } });
    surprise = (await planSurprise()).id;
    photo = await addPhoto(ada, surprise, 7, WORDS.caption);
    await ada.request('GET /api/Memories/{id}/image', { params: { id: photo.id }, query: { size: 'preview' } });
    trashedPhoto = await addPhoto(ada, surprise, 8, WORDS.caption);
    await ada.call('DELETE /api/Memories/{id}', { params: { id: trashedPhoto.id } });
    upload = uploadIdOf(await createUpload(ada, 1_000, { dateId: surprise, caption: WORDS.caption }));
    await sendPart(ada, upload, 0, Buffer.alloc(400));
    await app.db.write((tx) =>
      recordDamagedFile(tx, ada.user.couple.id as CoupleId, {
        fileName: photo.fileName,
        kind: 'changed',
        foundAt: now,
      }),
    );
    const stream = await fetch(`${app.url}/api/events`, {
      headers: { authorization: `Bearer ${ben.token}` },
      signal: stopEvents.signal,
    });
    const listen = async () => {
      if (stream.body === null) throw new Error('No event stream');
      for await (const event of readEvents(stream.body.getReader())) events.push(event);
    };
    listen().catch(() => undefined);
  });
  afterAll(async () => {
    stopEvents.abort();
    await app.close();
  });

  const planSurprise = () =>
    planDate(ada, { idea, at: now + 30 * HOUR, location: WORDS.location, notes: WORDS.notes, surprise: true });

  /** The inputs of a call, with the surprise and its memories in place of all others. */
  const onSurprise = (name: CallName): readonly Attempt[] =>
    rowOf(name)({
      ...story,
      planned: surprise,
      running: surprise,
      done: surprise,
      trashedDate: surprise,
      memory: photo.id,
      trashedMemory: trashedPhoto.id,
      fileName: photo.fileName,
      upload,
    });
  const everything = (who: Partner): Promise<Responses> =>
    readEverything(app, who, (name) => [...rowOf(name)({ ...story, idea }), ...onSurprise(name)], feed);

  const expectNoSecret = (text: string, where: string) => {
    for (const word of [...Object.values(WORDS), photo.id, trashedPhoto.id, photo.fileName]) {
      expect(text.includes(word), `${word} in ${where}`).toBe(false);
    }
  };

  const edit = async (body: object) => {
    const { body: date } = await ada.call('GET /api/PlannedDates/{id}', { params: { id: surprise } });
    const { plannedDateTime } = date;
    await ada.call('PUT /api/PlannedDates/{id}', { params: { id: surprise }, body: { plannedDateTime, ...body } });
  };

  it('is in no response that the partner reads, and its planner reads it', {
    tags: ['secrets.surprises.2'],
  }, async () => {
    const seen = await everything(ben);
    const names = new Set([...seen.keys()].map((call) => call.split(' ').slice(0, 2).join(' ')));
    expect(READING.filter((name) => !names.has(name))).toEqual([]);
    for (const [call, response] of seen) {
      // A response may repeat the path that was asked for.
      expectNoSecret(response.replaceAll(call.split(' ')[1] ?? '', ''), call);
    }
    const own = [...(await everything(ada)).values()].join('\n');
    for (const word of [WORDS.location, WORDS.notes, WORDS.caption]) expect(own).toContain(word);
  });

  it('is counted nowhere by its idea, and has no memories', { tags: ['secrets.surprises.2'] }, async () => {
    const { body: known } = await ben.call('GET /api/DateIdeas/{id}', { params: { id: idea } });
    expect(known.plannedDatesCount).toBe(1);
    expect((await ada.call('GET /api/DateIdeas/{id}', { params: { id: idea } })).body.plannedDatesCount).toBe(2);
    const { body: date } = await ben.call('GET /api/PlannedDates/{id}', { params: { id: surprise } });
    expect(date).toMatchObject({
      location: null,
      notes: null,
      memoryCount: 0,
      surprise: { mine: false, revealed: false },
      dateIdea: {
        id: null,
        title: 'A surprise',
        description: null,
        category: null,
        plannedDatesCount: 0,
        lastPlannedDate: null,
      },
    });
    const totals = await Promise.all(
      [ada, ben].map(async (who) => (await who.call('GET /api/Stats/memories')).body.total),
    );
    expect(totals).toEqual([3, 2]);
  });

  it('is in no file of the partner’s export, and in its planner’s, also if its idea was deleted', {
    tags: ['secrets.surprises.2', 'secrets.surprises.7'],
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'our-love-story-surprise-'));
    const exported = async (who: Partner) => {
      const { body } = await who.call('POST /api/export');
      const path = join(folder, `${who.user.displayName}.zip`);
      await writeFile(path, Buffer.from(await (await fetch(app.url + body.url)).arrayBuffer()));
      return [...(await unzip(path))].map(([name, bytes]) => `${name} ${bytes.toString()}`).join('\n');
    };
    const theirs = await exported(ben);
    expectNoSecret(theirs, 'the export');
    expect(theirs).toContain('A surprise');
    const own = await exported(ada);
    for (const word of [WORDS.notes, WORDS.idea, WORDS.description]) expect(own).toContain(word);
    await rm(folder, { recursive: true });
  });

  it('is changed without a trace: no byte, no tag, no event', {
    tags: ['secrets.surprises.4', 'secrets.surprises.5'],
  }, async () => {
    events.length = 0;
    const restored = { params: { id: trashedPhoto.id } };
    const changes = [
      () => edit({ location: WORDS.changed, notes: null }),
      () => addPhoto(ada, surprise, 9, WORDS.changed),
      () => sendPart(ada, upload, 400, Buffer.alloc(100)),
      () => ada.call('POST /api/Trash/{id}/restore', restored),
      () => ada.call('DELETE /api/Memories/{id}', restored),
      () => ada.call('DELETE /api/Trash/{id}', restored),
    ];
    // A time that shows would be a new one.
    now += MINUTE;
    const before = await everything(ben);
    for (const change of changes) await change();
    expect(differences(before, await everything(ben))).toEqual([]);
    // The last event says that all before it have arrived.
    const { id: last } = await addIdea(ada, { title: 'The last' });
    await expect.poll(() => JSON.stringify(events)).toContain(last);
    expect(events).toHaveLength(1);
    await ada.call('DELETE /api/DateIdeas/{id}', { params: { id: last } });
  });

  it('stays as it is, and is in no response to the partner, whatever other call they make', {
    tags: ['secrets.surprises.2'],
  }, async () => {
    const kept = await readAll(ada);
    for (const [name] of CALLS.filter(([call]) => !READING.includes(call) && call !== 'GET /api/events')) {
      if (WITHOUT_DATES.test(name)) continue;
      for (const { params, query, body, form, tus } of onSurprise(name)) {
        const response = await ben.request(name, {
          ...(params && { params }),
          ...(query && { query }),
          ...(body !== undefined && { body }),
          ...(form && { body: await form() }),
          ...tus,
        });
        expectNoSecret(JSON.stringify([response.body ?? '', response.problem ?? '']), name);
      }
    }
    const after = await readAll(ada);
    expect(after.surprise).toEqual(kept.surprise);
    expect(after.memories).toEqual(kept.memories);
  });

  it('has no resumable upload for the partner, and its planner can continue it', {
    tags: ['secrets.surprises.4'],
  }, async () => {
    const answers = async (id: string) => {
      const all: unknown[] = [];
      for (const name of ['DELETE', 'HEAD', 'PATCH'].map((method) => `${method} /api/Memories/tus/{id}` as CallName)) {
        const [attempt] = rowOf(name)({ ...story, upload: id });
        const { status, problem, headers } = await ben.request(name, { params: { id } }, attempt?.tus);
        all.push([name, status, problem?.message, [...headers.keys()].toSorted()]);
      }
      return all;
    };
    const { offset } = await readUploadStatus(ada, upload);
    expect(await answers(upload)).toEqual(await answers(ada.user.id));
    expect(await readUploadStatus(ada, upload)).toMatchObject({ status: 200, offset });
    expect((await sendPart(ada, upload, offset ?? 0, Buffer.alloc(100))).status).toBe(204);
  });

  onSqliteOnly(engine, () => {
    it('leaves no trace in a response that is read while it is planned, or while a date becomes one and gets a photograph', {
      tags: ['secrets.surprises.3'],
    }, async () => {
      // They read nothing of dates, ideas and memories.
      const isOther = (name: CallName) => /auth|couple|calendar$|reminders|image|export/.test(name);
      const mixed: string[] = [];
      for (const name of READING.filter((one) => !isOther(one))) {
        const attempts = rowOf(name)({ ...story, idea, planned });
        for (const { params = {}, query } of attempts.filter(({ status }, at) => status === 200 || at === 0)) {
          const search = query ? `?${new URLSearchParams(Object.entries(query))}` : '';
          const path = fillPath(splitName(name).path, params) + search;
          const hidden: string[] = [];
          const read = async () => partsOf(await responseOf(ben, name, path));
          await read();
          // Nothing is read after the last query.
          for (let after = (await countQueries(app, read)) - 1; after > 0; after -= 1) {
            const { id, plannedDateTime } = await planDate(ada, { idea, at: now + 31 * HOUR });
            const hide = async () => {
              await ada.call('PUT /api/PlannedDates/{id}', {
                params: { id },
                body: { plannedDateTime, surprise: true },
              });
              await addPhoto(ada, id, 11);
              hidden.push(id, (await planSurprise()).id);
            };
            const before = await read();
            const { result, isInterrupted } = await interruptAfterQuery(app, after, hide, read);
            expect(isInterrupted).toBe(true);
            const then = await read();
            for (const [part, text] of result) {
              if (text !== before.get(part) && text !== then.get(part)) mixed.push(`${part} of ${path} after ${after}`);
            }
          }
          if (hidden.length > 0) await forget(hidden);
        }
      }
      expect(mixed).toEqual([]);
    });
  });

  /** Deletes dates with all they have. Hundreds of surprises would make every response slow. */
  const forget = (dateIds: readonly string[]) =>
    app.db.write(async (tx) => {
      for (const table of ['memories', 'surprises'] as const) {
        await tx.deleteFrom(table).where('dateId', 'in', dateIds).execute();
      }
      await tx.deleteFrom('dates').where('id', 'in', dateIds).execute();
    });

  /** What the planner has of the surprise. */
  const readAll = async (who: Partner) => ({
    surprise: (await who.call('GET /api/PlannedDates/{id}', { params: { id: surprise } })).body,
    memories: (await who.call('GET /api/Memories', { query: { plannedDateId: surprise } })).body,
  });
});
