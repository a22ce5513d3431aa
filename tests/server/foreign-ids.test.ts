import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { contracts } from '../../src/app/server/slices.ts';
import type { Call, CallName } from '../../src/base/call.ts';
import { fillPath, splitName } from '../../src/base/call.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { makePasskey } from '../support/authenticator.ts';
import type { AllCalls, Partner, Result } from '../support/client.ts';
import { Caller, namesOf, registerCouple } from '../support/client.ts';
import { describeOnBoth } from '../support/engines.ts';
import { subscribeToEvents } from '../support/event-stream.ts';
import { addIdea, addPhoto, completeDate, photoForm, planDate, startDate } from '../support/factories.ts';
import { createUpload, metadata, partRequest, readUploadStatus, sendPart, TUS, uploadIdOf } from '../support/tus.ts';

/**
 * Makes every call of every contract with another couple's ids: the reply is 404, shows none of their data and changes
 * nothing (contract 1). A new call without a row fails this test, and so does a new id field that no row tries with a
 * foreign id.
 */

/** Part of every text of the other couple. If it appears in a reply, data has leaked. */
const MARKER = 'between-us-alone';
const NOBODY = '01890000-0000-7000-8000-000000000000';

/** The input of a call, and the expected status, 404 by default. */
interface Attempt {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
  readonly form?: () => Promise<FormData>;
  /** A tus call: its metadata headers and the part it sends. */
  readonly tus?: Parameters<Caller['request']>[2] & { readonly metadata?: Readonly<Record<string, string>> };
  readonly status?: number;
}

/** The ids of the other couple's data, one of each kind. */
interface Theirs {
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

type Row = (theirs: Theirs) => readonly Attempt[];

const plain: Row = () => [{ status: 200 }];
const withBody =
  (status: number, body: unknown): Row =>
  () => [{ status, body }];
const onDates =
  (body?: unknown): Row =>
  ({ planned, running, done, trashedDate }) =>
    [planned, running, done, trashedDate].map((id) => ({ params: { id }, body }));
const onIdea =
  (body?: unknown): Row =>
  ({ idea }) => [{ params: { id: idea }, body }];
const onMemories: Row = ({ memory, trashedMemory }) => [memory, trashedMemory].map((id) => ({ params: { id } }));
const onTrash: Row = ({ trashedDate, trashedMemory, planned, memory }) =>
  [trashedDate, trashedMemory, planned, memory].map((id) => ({ params: { id } }));
const onUpload =
  (tus: Attempt['tus'] = { headers: TUS }): Row =>
  ({ upload }) => [{ params: { id: upload }, tus }];
const beginning = (status: number, PlannedDateId: string): Attempt => {
  const values = { PlannedDateId, filename: 'eve.jpg' };
  return {
    status,
    tus: { metadata: values, headers: { ...TUS, 'upload-length': '9', 'upload-metadata': metadata(values) } },
  };
};
const ofDates: Row = ({ done, trashedDate }) => [done, trashedDate].map((id) => ({ params: { plannedDateId: id } }));

const idea = { title: 'Ours', category: 'Food' };
const when = { plannedDateTime: new Date().toISOString() };
const name = () => `eve-${crypto.randomUUID()}@example.org`;
const account = { displayName: 'Eve', password: 'another quiet evening' };

const MATRIX: Readonly<Record<keyof AllCalls, Row>> = {
  'GET /api/auth/status': plain,
  'POST /api/auth/register': () => [{ status: 201, body: { ...account, email: name() } }],
  'POST /api/auth/login': withBody(401, { email: `${MARKER}@example.org`, password: 'not at all the password' }),
  'GET /api/auth/session': plain,
  // It accepts only the cookie; without it the reply is 401.
  'POST /api/auth/renew': () => [{ status: 401 }],
  'POST /api/auth/logout': () => [{ status: 204 }],
  'GET /api/auth/sessions': plain,
  'DELETE /api/auth/sessions/{id}': ({ session }) => [{ params: { id: session } }],
  'GET /api/auth/passkeys': plain,
  'POST /api/auth/passkeys/options': withBody(400, {}),
  'POST /api/auth/passkeys': withBody(400, {}),
  'DELETE /api/auth/passkeys/{id}': ({ passkey }) => [{ params: { id: passkey } }],
  'POST /api/auth/passkeys/sign-in/options': plain,
  'POST /api/auth/passkeys/sign-in': withBody(400, {}),
  'PUT /api/auth/profile': withBody(200, { displayName: 'Eve' }),
  'PUT /api/auth/password': withBody(400, { currentPassword: 'wrong', newPassword: 'a password of ours' }),
  'PUT /api/couple': withBody(200, { togetherSince: '2020-02-02' }),
  'POST /api/auth/leave': withBody(400, { currentPassword: 'wrong' }),
  'GET /api/couple/deletion': () => [{ status: 204 }],
  'POST /api/couple/deletion': withBody(400, { currentPassword: 'wrong' }),
  'DELETE /api/couple/deletion': () => [{}],
  // A complete couple can't invite anyone.
  'POST /api/auth/invitations': () => [{ status: 409 }],
  'GET /api/auth/invitations/{code}': () => [{ params: { code: 'no-such-code' } }],
  'POST /api/auth/join': () => [{ status: 404, body: { ...account, email: name(), code: 'no-such-code' } }],
  'POST /api/auth/recovery': () => [{ status: 201 }],
  'POST /api/auth/recovery/{code}': () => [
    { params: { code: 'no-such-code' }, body: { newPassword: 'a password of ours' } },
  ],
  // The stream is tested below.
  'GET /api/events': () => [],

  'GET /api/DateIdeas': plain,
  'POST /api/DateIdeas': withBody(201, idea),
  'GET /api/DateIdeas/active': plain,
  'GET /api/DateIdeas/categories': plain,
  'GET /api/DateIdeas/category/{category}': () => [{ status: 200, params: { category: 'Romantic' } }],
  'GET /api/DateIdeas/{id}': onIdea(),
  'PUT /api/DateIdeas/{id}': onIdea(idea),
  'DELETE /api/DateIdeas/{id}': onIdea(),

  'GET /api/PlannedDates': plain,
  'POST /api/PlannedDates': ({ idea }) => [{ body: { ...when, dateIdeaId: idea } }],
  'GET /api/PlannedDates/upcoming': plain,
  'GET /api/PlannedDates/completed': plain,
  'GET /api/PlannedDates/in-progress': plain,
  'GET /api/PlannedDates/next': () => [{ status: 204 }],
  'GET /api/PlannedDates/statuses': plain,
  'GET /api/PlannedDates/{id}': onDates(),
  'PUT /api/PlannedDates/{id}': onDates(when),
  'DELETE /api/PlannedDates/{id}': onDates(),
  'POST /api/PlannedDates/{id}/start': onDates(),
  'POST /api/PlannedDates/{id}/complete': onDates({ actualEndTime: new Date().toISOString() }),
  'POST /api/PlannedDates/{id}/cancel': onDates(),
  'GET /api/PlannedDates/{id}/calendar': onDates(),
  'GET /api/calendar': plain,
  'POST /api/calendar': () => [{ status: 201 }],
  'DELETE /api/calendar': () => [{}],
  'GET /api/calendar/{secret}.ics': () => [{ params: { secret: 'no-such-secret' } }],

  'GET /api/Memories': ({ done, trashedDate, cursor }) => [
    { query: { plannedDateId: done } },
    { query: { plannedDateId: trashedDate } },
    { query: { count: '1', cursor }, status: 200 },
    { status: 200 },
  ],
  'POST /api/Memories': ({ done, trashedDate }) => [
    { form: () => photoForm(done) },
    { form: () => photoForm(trashedDate) },
  ],
  'OPTIONS /api/Memories/tus': () => [{ status: 204, tus: { headers: TUS } }],
  'POST /api/Memories/tus': ({ done, trashedDate }) => [beginning(404, done), beginning(404, trashedDate)],
  'HEAD /api/Memories/tus/{id}': onUpload(),
  'PATCH /api/Memories/tus/{id}': onUpload(partRequest(0, Buffer.from('a piece'))),
  'DELETE /api/Memories/tus/{id}': onUpload(),
  'GET /api/Memories/months': ({ done, trashedDate }) => [
    { query: { plannedDateId: done } },
    { query: { plannedDateId: trashedDate } },
    { status: 200 },
  ],
  'GET /api/Memories/upload-info': plain,
  'POST /api/Memories/validate': () => [{ status: 200, form: () => photoForm(NOBODY) }],
  'GET /api/Memories/planned-date/{plannedDateId}': ofDates,
  'GET /api/Memories/planned-date/{plannedDateId}/stats': ofDates,
  'GET /api/Memories/image/{fileName}': ({ fileName }) => [{ params: { fileName } }],
  'GET /api/Memories/{id}': onMemories,
  'DELETE /api/Memories/{id}': onMemories,
  'GET /api/Memories/{id}/image': ({ memory, trashedMemory }) =>
    [memory, trashedMemory].flatMap((id) =>
      ['original', 'preview', 'thumbnail'].map((size) => ({ params: { id }, query: { size } })),
    ),
  'GET /api/Trash': plain,
  'POST /api/Trash/{id}/restore': onTrash,
  'DELETE /api/Trash/{id}': onTrash,

  'GET /api/Stats': plain,
  'GET /api/Stats/time-together': plain,
  'GET /api/Stats/dates': plain,
  'GET /api/Stats/memories': plain,
  'GET /api/Stats/categories': plain,
  'GET /api/Stats/favorite-category': () => [{ status: 204 }],
  'GET /api/Stats/achievements': plain,
  'GET /api/Stats/records': plain,
  'GET /api/Stats/celebrations': plain,
  'POST /api/Stats/celebrations': withBody(200, { milestones: ['first-date'] }),
  'GET /api/Stats/dashboard': plain,

  'GET /api/reminders': plain,
  'PUT /api/reminders': withBody(200, { tomorrow: false }),
  'PUT /api/reminders/device': withBody(400, { endpoint: 'https://localhost/x' }),
  'DELETE /api/reminders/device': () => [{ status: 204 }],
  'GET /api/Stats/year-ago': () => [{ status: 204, query: { day: '2026-11-21', timeZone: 'UTC' } }],

  'GET /api/keeping': plain,
  'POST /api/export': () => [{ status: 201 }],
  'GET /api/export/{code}': () => [{ params: { code: 'no-such-code' } }],
};

const CALLS = Object.values(contracts).flatMap((contract) => namesOf(contract));
const rowOf = (name: CallName): Row => {
  const row = (MATRIX as Readonly<Record<string, Row | undefined>>)[name];
  if (!row) throw new Error(`${name} is missing from the matrix of foreign ids`);
  return row;
};

/**
 * Returns the names of a call's id fields, in its params, query, body and form parts. A code is a secret and not an id,
 * and `rawId` is a device's own name for a passkey.
 */
function idFields(name: CallName, call: Call): string[] {
  const shape = (schema: z.ZodType | undefined) => Object.keys((schema as z.ZodObject | undefined)?.shape ?? {});
  const params = [...splitName(name).path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param ?? '');
  return [
    ...params.filter((param) => !['code', 'category', 'secret'].includes(param)),
    ...[...shape(call.query), ...shape(call.body), ...(call.multipart ?? []), ...(call.tus?.metadata ?? [])].filter(
      (field) => field.endsWith('Id') && field !== 'rawId',
    ),
  ];
}

/** Returns the names of the fields in which a row sends a foreign id and expects 404. */
async function triedFields(attempts: readonly Attempt[], theirs: Theirs): Promise<Set<string>> {
  const foreign = new Set(Object.values(theirs));
  const tried = new Set<string>();
  for (const { params, query, body, form, tus, status = 404 } of attempts) {
    const parts = form ? Object.fromEntries((await form()).entries()) : {};
    for (const [field, value] of Object.entries({
      ...params,
      ...query,
      ...(body as object),
      ...parts,
      ...tus?.metadata,
    })) {
      if (status === 404 && typeof value === 'string' && foreign.has(value)) tried.add(field);
    }
  }
  return tried;
}

describe('the table of calls', () => {
  it('has exactly one row for each call of every contract', () => {
    expect(Object.keys(MATRIX).toSorted()).toEqual(CALLS.map(([name]) => name).toSorted());
  });

  it.each(CALLS)('tries each id field of %s with a foreign id', async (name, call) => {
    const kinds = [
      'idea',
      'planned',
      'running',
      'done',
      'memory',
      'fileName',
      'cursor',
      'session',
      'passkey',
      'upload',
    ] as const;
    const trashed = { trashedDate: 'a date', trashedMemory: 'a memory' };
    const theirs = {
      ...Object.fromEntries(kinds.map((kind) => [kind, `their ${kind}`])),
      ...trashed,
    } as unknown as Theirs;
    const tried = await triedFields(rowOf(name)(theirs), theirs);
    expect([...tried]).toEqual(expect.arrayContaining(idFields(name, call)));
  });
});

describeOnBoth("another couple's ids", (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let theirs: Theirs;
  /** Returns everything that the other couple sees. */
  let before: unknown;
  const secrets: string[] = [];
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada, ben } = await registerCouple(app));
    await ada.call('PUT /api/auth/profile', { body: { displayName: `Ada ${MARKER}`, email: `${MARKER}@example.org` } });
    theirs = await createStory(ada, ben);
    before = await everything(ada);
    secrets.push(MARKER, ada.user.id, ben.user.id, ada.user.couple.id, ...(Object.values(theirs) as string[]));
  });
  afterAll(() => app.close());

  const expectNothingOfTheirs = ({ body, headers }: Result<unknown>, attempt: Attempt = {}) => {
    const answer = `${JSON.stringify(body)} ${JSON.stringify([...headers])}`;
    const given = JSON.stringify(attempt);
    for (const secret of secrets.filter((secret) => !given.includes(secret))) expect(answer).not.toContain(secret);
  };

  it.each(CALLS)('%s', async (name) => {
    const { ada: eve } = await registerCouple(app);
    for (const attempt of rowOf(name)(theirs)) {
      const { params, query, form, tus, status = 404 } = attempt;
      const answer = await eve.request(name, { params, query, body: form ? await form() : attempt.body }, tus);
      expect({ attempt, status: answer.status }).toEqual({ attempt, status });
      expectNothingOfTheirs(answer, attempt);
      if (status === 404 && !name.startsWith('HEAD')) expect(answer.body).toMatchObject({ status: 404, errors: [] });
    }
    expect(await everything(ada)).toEqual(before);
    expect(await readUploadStatus(ada, theirs.upload)).toMatchObject({ status: 200, offset: 400 });
  });

  it('shows photographs to the cookie of their own couple only', async () => {
    const { ada: eve } = await registerCouple(app);
    const names = ['GET /api/Memories/{id}/image', 'GET /api/Memories/image/{fileName}'] as const;
    for (const name of names) {
      const input = { params: { id: theirs.memory, fileName: theirs.fileName } };
      const withCookie = (who: Partner) =>
        new Caller(app.url).request(name, input, { headers: { cookie: who.cookie } });
      expect((await withCookie(eve)).status).toBe(404);
      expect((await withCookie(ben)).status).toBe(200);
    }
  });

  it('keeps the Idempotency-Keys of two couples apart', async () => {
    const { ada: eve } = await registerCouple(app);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { title: 'One key, two couples', category: 'Food' } as const;
    const first = await ada.call('POST /api/DateIdeas', { body }, { headers });
    const hers = await eve.call('POST /api/DateIdeas', { body }, { headers });
    expect(hers.status).toBe(201);
    expect(hers.body.id).not.toBe(first.body.id);
    await ada.call('DELETE /api/DateIdeas/{id}', { params: { id: first.body.id } });
  });

  it('sends no changes to another couple', async () => {
    const { ada: eve } = await registerCouple(app);
    const events = await subscribeToEvents(eve);
    const made = await addIdea(ada, { title: MARKER });
    await ada.call('DELETE /api/DateIdeas/{id}', { params: { id: made.id } });
    const hers = await addIdea(eve);
    // Changes arrive in order: if she received theirs, it would come first.
    expect(await events.next()).toMatchObject({ id: hers.id });
    events.close();
  });

  describe('without a token', () => {
    const filled = (name: CallName) => {
      const { method, path } = splitName(name);
      const params = {
        id: theirs.done,
        plannedDateId: theirs.done,
        fileName: theirs.fileName,
        category: 'Food',
        code: 'x',
        secret: 'x',
      };
      return `${method} ${fillPath(path, params)}` as CallName;
    };

    it.each(CALLS)('%s: 401, unless it is public', async (name, { access }) => {
      for (const stranger of [new Caller(app.url), new Caller(app.url, 'not-a-token')]) {
        // No call accepts this body: authentication is checked before the input.
        const options = /^(GET|HEAD)/.test(name) ? {} : { raw: { type: 'text/plain', body: 'x' } };
        const answer = await stranger.request(filled(name), {}, options);
        if (access === 'public') expect(answer.status).not.toBe(401);
        else {
          expect(answer.status).toBe(401);
          expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        }
        expectNothingOfTheirs(answer);
      }
    });

    it.each(CALLS)('%s: the cookie is accepted for photographs and renewal only', async (name, { access }) => {
      const answer = await new Caller(app.url).request(filled(name), {}, { headers: { cookie: ben.cookie } });
      const counts = access === 'photo' || access === 'renew' || access === 'public';
      expect(answer.status === 401).toBe(!counts);
      if (!counts) expectNothingOfTheirs(answer);
    });
  });
});

/** Creates data of every kind for a couple, with the marker in each of its texts. */
async function createStory(ada: Partner, ben: Partner): Promise<Theirs> {
  const { id: idea } = await addIdea(ada, { title: `Idea ${MARKER}`, description: MARKER, category: 'Romantic' });
  const texts = { idea, location: MARKER, notes: MARKER };
  const now = Date.now();
  const planned = await planDate(ben, { ...texts, at: now + 86_400_000 });
  const running = await startDate(ada, { ...texts, at: now });
  const done = await completeDate(ada, { ...texts, at: now - 86_400_000, minutes: 90 });
  const trashedDate = await completeDate(ben, { ...texts, at: now - 172_800_000, minutes: 30 });
  await addPhoto(ada, trashedDate.id, 1, MARKER);
  const memory = await addPhoto(ada, done.id, 2, MARKER);
  await addPhoto(ben, done.id, 3, MARKER);
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

/** Returns everything that a couple sees of its own data. */
async function everything(who: Partner): Promise<unknown> {
  const calls = [
    'GET /api/auth/session',
    'GET /api/auth/sessions',
    'GET /api/DateIdeas',
    'GET /api/PlannedDates',
    'GET /api/Memories',
    'GET /api/Trash',
    'GET /api/Stats',
    'GET /api/Stats/records',
  ] as const;
  return Promise.all(calls.map(async (name) => [name, (await who.request(name)).body]));
}
