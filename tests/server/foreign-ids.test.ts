import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Call, CallName } from '../../src/base/call.ts';
import { fillPath, splitName } from '../../src/base/call.ts';
import { type Attempt, CALLS, MATRIX, rowOf } from '../support/call-matrix.ts';
import type { Result } from '../support/caller.ts';
import { Caller } from '../support/caller.ts';
import { describeOnBoth, onSqliteOnly } from '../support/engines.ts';
import { subscribeToEvents } from '../support/event-stream.ts';
import { addIdea } from '../support/factories.ts';
import { createMarkedStory, MARKER, type Theirs } from '../support/marked-story.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { readUploadStatus } from '../support/tus.ts';

/**
 * Makes every call of every contract with another couple's ids: the reply is 404, shows none of their data and changes
 * nothing. A new call without a row fails this test, and so does a new id field that no row tries with a
 * foreign id.
 */

/**
 * Returns the names of a call's id fields, in its params, query, body and form parts. A code is a secret and not an id,
 * and `rawId` is a device's own name for a passkey.
 */
function idFields(name: CallName, call: Call): string[] {
  const shape = (schema: z.ZodType | undefined) => Object.keys((schema as z.ZodObject | undefined)?.shape ?? {});
  const params = [...splitName(name).path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param ?? '');
  return [
    ...params.filter((param) => !['code', 'stopCode', 'category', 'secret', 'year'].includes(param)),
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
  it('has exactly one row for each call of every contract', { tags: ['wire.errors.3'] }, () => {
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

describeOnBoth("another couple's ids", { tags: ['wire.errors.3', 'uploads.parts.6'] }, (engine) => {
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
    theirs = await createMarkedStory(ada, ben);
    before = await everything(ada);
    secrets.push(MARKER, ada.user.id, ben.user.id, ada.user.couple.id, ...(Object.values(theirs) as string[]));
  });
  // The calls try wrong codes, which are limited.
  beforeEach(() => app.db.write((tx) => tx.deleteFrom('tries').execute()));
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

  it('shows photographs to the cookie of their own couple only', { tags: ['memories.sending.2'] }, async () => {
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
    const [{ ada: one }, { ada: eve }] = [await registerCouple(app), await registerCouple(app)];
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { title: 'One key, two couples', category: 'Food' } as const;
    const first = await one.call('POST /api/DateIdeas', { body }, { headers });
    const hers = await eve.call('POST /api/DateIdeas', { body }, { headers });
    expect(hers.status).toBe(201);
    expect(hers.body.id).not.toBe(first.body.id);
  });

  it('sends no changes to another couple', async () => {
    const [{ ada: one }, { ada: eve }] = [await registerCouple(app), await registerCouple(app)];
    const events = await subscribeToEvents(eve);
    const made = await addIdea(one, { title: MARKER });
    await one.call('DELETE /api/DateIdeas/{id}', { params: { id: made.id } });
    const hers = await addIdea(eve);
    // Changes arrive in order: if she received theirs, it would come first.
    expect(await events.next()).toMatchObject({ id: hers.id });
    events.close();
  });

  onSqliteOnly(engine, () => {
    describe('without a token', () => {
      const filled = (name: CallName) => {
        const { method, path } = splitName(name);
        const params = {
          id: theirs.done,
          plannedDateId: theirs.done,
          fileName: theirs.fileName,
          category: 'Food',
          code: 'x',
          stopCode: 'x',
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

      it.each(CALLS)(
        '%s: the cookie is accepted for photographs and renewal only',
        { tags: ['memories.sending.2'] },
        async (name, { access }) => {
          const answer = await new Caller(app.url).request(filled(name), {}, { headers: { cookie: ben.cookie } });
          const counts = access === 'photo' || access === 'renew' || access === 'public';
          expect(answer.status === 401).toBe(!counts);
          if (!counts) expectNothingOfTheirs(answer);
        },
      );
    });
  });
});

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
