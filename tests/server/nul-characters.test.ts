import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { contracts } from '../../src/app/server/slices.ts';
import type { Call, CallName } from '../../src/base/call.ts';
import { fillPath, splitName } from '../../src/base/call.ts';
import { Authenticator } from '../support/authenticator.ts';
import { describeOnBoth } from '../support/engines.ts';
import { addPhoto, planDate, smallPhotoForm } from '../support/factories.ts';
import { namedCalls } from '../support/named-calls.ts';
import type { Partner } from '../support/partner.ts';
import { registerAda } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { metadata, TUS } from '../support/tus.ts';

/** PostgreSQL can't store NUL in text, so input with NUL is refused before it reaches the database. */
const NUL = 'a\u0000b';
const CALLS = Object.values(contracts).flatMap((contract) => namedCalls(contract));
const ID = '01890000-0000-7000-8000-000000000000';

const paramsOf = (name: CallName) => [...splitName(name).path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param ?? '');
const fieldsOf = (schema: z.ZodType | undefined) =>
  Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});

describeOnBoth('a NUL', (engine) => {
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ada = await registerAda(app);
  });
  afterAll(() => app.close());

  /** Makes a call with the headers that a tus call needs to reach its parameters. */
  const send = (name: CallName, path: string, call: Call, body?: unknown) => {
    const { method } = splitName(name);
    const headers: Record<string, string> = { authorization: `Bearer ${ada.token}`, ...(call.tus ? TUS : {}) };
    if (body !== undefined) headers['content-type'] = 'application/json';
    return fetch(app.url + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  };

  it.each(CALLS.filter(([name]) => paramsOf(name).length > 0))(
    'in the path of %s is 404',
    { tags: ['wire.values.9'] },
    async (name, call) => {
      const { path } = splitName(name);
      for (const param of paramsOf(name)) {
        const values = Object.fromEntries(paramsOf(name).map((each) => [each, each === param ? NUL : ID]));
        const isPart = call.tus?.takesPart === true;
        const { status } = isPart
          ? await fetch(app.url + fillPath(path, values), {
              method: 'PATCH',
              headers: {
                authorization: `Bearer ${ada.token}`,
                ...TUS,
                'upload-offset': '0',
                'content-type': 'application/offset+octet-stream',
              },
              body: 'x',
            })
          : await send(name, fillPath(path, values), call, call.body && {});
        // An unknown category is 400.
        expect(status, param).toBe(param === 'category' ? 400 : 404);
      }
    },
  );

  it.each(CALLS.filter(([, call]) => call.query))(
    'in the query of %s is 400 or 404',
    { tags: ['wire.values.9'] },
    async (name, call) => {
      const { path } = splitName(name);
      const date = await planDate(ada);
      const memory = await addPhoto(ada, date.id);
      const base = fillPath(path, { id: memory.id, plannedDateId: date.id });
      for (const field of fieldsOf(call.query)) {
        const { status } = await send(name, `${base}?${field}=${encodeURIComponent(NUL)}`, call);
        expect([400, 404], field).toContain(status);
      }
    },
  );

  it.each(CALLS.filter(([, call]) => call.body))(
    'in any text of the body of %s is no fault of ours',
    { tags: ['wire.values.9'] },
    async (name, call) => {
      const { path } = splitName(name);
      const body = Object.fromEntries(fieldsOf(call.body).map((field) => [field, NUL]));
      const params = Object.fromEntries(paramsOf(name).map((param) => [param, ID]));
      expect((await send(name, fillPath(path, params), call, body)).status).toBeLessThan(500);
    },
  );

  describe('elsewhere', () => {
    it('in the address of a push service is 400', async () => {
      const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16).toString('base64url') };
      for (const endpoint of ['https://push.example.org/\u0000', '\u0000https://push.example.org/', '\ud800']) {
        const { status, problem } = await ada.call('PUT /api/reminders/device', { body: { endpoint, keys } });
        expect(status).toBe(400);
        expect(problem.errors.map(({ field }) => field)).toEqual(['endpoint']);
      }
      const split = { endpoint: 'https://push.example.org/x', keys: { ...keys, auth: `${keys.auth}\u0000` } };
      expect((await ada.call('PUT /api/reminders/device', { body: split })).status).toBe(400);
    });

    it("in a passkey's response is refused", async () => {
      const answer = new Authenticator(app.url).get({ challenge: 'bm9uZQ' });
      const body = { ...answer, id: NUL, rawId: NUL };
      expect((await ada.request('POST /api/auth/passkeys/sign-in', { body })).status).toBe(400);
    });

    it("in a text of a form is 400, and in its date's id 404", async () => {
      const date = await planDate(ada);
      expect((await ada.call('POST /api/Memories', { body: await smallPhotoForm(date.id, 9, NUL) })).status).toBe(400);
      expect((await ada.call('POST /api/Memories', { body: await smallPhotoForm(NUL, 9) })).status).toBe(404);
    });

    it("in the metadata of a resumable upload is 400, and in its date's id 404", async () => {
      const date = await planDate(ada);
      const createUpload = (values: Readonly<Record<string, string>>) => {
        const headers = { ...TUS, 'upload-length': '9', 'upload-metadata': metadata({ filename: 'a.jpg', ...values }) };
        return ada.call('POST /api/Memories/tus', {}, { headers });
      };
      expect((await createUpload({ PlannedDateId: date.id, Caption: NUL })).status).toBe(400);
      expect((await createUpload({ PlannedDateId: NUL })).status).toBe(404);
      expect((await createUpload({ PlannedDateId: date.id, filename: NUL })).status).toBeLessThan(500);
    });
  });
});
