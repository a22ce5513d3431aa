import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallName } from '../../src/base/call.ts';
import { splitName } from '../../src/base/call.ts';
import type { UserId } from '../../src/base/ids.ts';
import { MINUTE } from '../../src/base/time.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { CALLS, createStory, rowOf, type Theirs } from '../support/call-matrix.ts';
import { Caller, type Partner, registerCouple } from '../support/client.ts';
import { describeOnBoth } from '../support/engines.ts';
import { completeDate, photoForm } from '../support/factories.ts';
import { holdRequest } from '../support/hold-request.ts';

/** The writes of a signed-in user with a JSON body or none. A body may arrive long after its request was authenticated. */
const WRITES = CALLS.filter(
  ([name, { access, multipart, tus }]) =>
    splitName(name).method !== 'GET' && access === undefined && !multipart && !tus && name !== 'POST /api/auth/logout',
).map(([name]) => name);

describeOnBoth('a write at the moment of the account’s deletion', (engine) => {
  let app: TestApp;
  let ahead = 0;
  /** Called with each step of an upload on the server. */
  let onStep: (name: string) => unknown = () => undefined;
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    app = await startTestApp(engine, { now, step: (name) => onStep(name) });
  });
  afterAll(() => app.close());

  /** The sessions of a user that were used since a moment. */
  const usedSince = async ({ user }: Partner, at: number) => {
    const sessions = app.db.read
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', user.id as UserId);
    return (await sessions.where('lastUsedAt', '>=', at).execute()).length;
  };
  /** Sends the headers of every write, each in a session of its own, and waits until all of them are authenticated. */
  const holdWrites = async (who: Partner, story: Theirs) => {
    const sessions = await Promise.all(
      WRITES.map(() =>
        new Caller(app.url).call('POST /api/auth/login', { body: { email: who.email, password: who.password } }),
      ),
    );
    ahead += 6 * MINUTE;
    const heldAt = now();
    const held = WRITES.map((name: CallName, index) => {
      const { params = {}, body = {} } = rowOf(name)(story)[0] ?? {};
      const caller = new Caller(app.url, sessions[index]?.body.token);
      return { name, send: holdRequest(caller, name, { params, body: body as object, key: uuidv7() }) };
    });
    await expect.poll(() => usedSince(who, heldAt)).toBe(WRITES.length);
    return async () => Promise.all(held.map(async ({ name, send }) => `${name}: ${await send()}`));
  };

  const deleteSpace = async (ada: Partner, ben: Partner) => {
    const sure = { body: { currentPassword: ada.password } };
    expect((await ben.call('POST /api/couple/deletion', sure)).status).toBe(200);
    expect((await ada.call('POST /api/couple/deletion', sure)).status).toBe(204);
  };

  it('is answered 401 when the space is gone, if nothing else refuses it', async () => {
    const { ada, ben } = await registerCouple(app);
    const send = await holdWrites(ada, await createStory(ada, ben));
    await deleteSpace(ada, ben);
    const answers = await send();
    expect(answers.filter((answer) => / 5..$/.test(answer))).toEqual([]);
    const refused = ['POST /api/DateIdeas', 'PUT /api/couple', 'PUT /api/reminders', 'PUT /api/auth/password'];
    expect(answers).toEqual(expect.arrayContaining(refused.map((name) => `${name}: 401`)));
  });

  it('is answered 401 when the account is gone, if it needs one', async () => {
    const { ada, ben } = await registerCouple(app);
    const send = await holdWrites(ada, await createStory(ada, ben));
    expect((await ada.call('POST /api/auth/leave', { body: { currentPassword: ada.password } })).status).toBe(204);
    const answers = await send();
    expect(answers.filter((answer) => / 5..$/.test(answer))).toEqual([]);
    const refused = ['POST /api/auth/leave', 'PUT /api/reminders', 'POST /api/Stats/celebrations'];
    expect(answers).toEqual(expect.arrayContaining(refused.map((name) => `${name}: 401`)));
  });

  it('is answered 401 for a photograph that is still being received', async () => {
    const { ada, ben } = await registerCouple(app);
    const date = await completeDate(ada, { at: now() - 86_400_000, minutes: 90 });
    const form = new Response(await photoForm(date.id));
    const bytes = Buffer.from(await form.clone().arrayBuffer());
    const receiving = new Promise<void>((resolve) => {
      onStep = (name) => name === 'receiving' && resolve();
    });
    const sending = request(`${app.url}/api/Memories`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada.token}`,
        'content-type': form.headers.get('content-type') ?? '',
        'content-length': bytes.length,
        'idempotency-key': uuidv7(),
      },
    });
    sending.write(bytes.subarray(0, -100));
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    await receiving;
    await deleteSpace(ada, ben);
    sending.end(bytes.subarray(-100));
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(401);
  });
});
