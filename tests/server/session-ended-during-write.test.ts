import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallName } from '../../src/base/call.ts';
import { splitName } from '../../src/base/call.ts';
import { DAY, MINUTE } from '../../src/base/durations.ts';
import type { UserId } from '../../src/base/ids.ts';
import { CALLS, rowOf } from '../support/call-matrix.ts';
import { Caller } from '../support/caller.ts';
import { describeOnBoth, onPostgresOnly } from '../support/engines.ts';
import { completeDate, smallPhotoForm } from '../support/factories.ts';
import { holdRequest } from '../support/hold-request.ts';
import { holdWrites } from '../support/hold-writes.ts';
import { createMarkedStory, type Theirs } from '../support/marked-story.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

/** The calls that are 404 here, before their body arrives: this server sends no mail and knows no OpenID provider. */
const OFF: readonly CallName[] = [
  'POST /api/auth/email-mail',
  'POST /api/auth/invitations/{code}/mail',
  'DELETE /api/auth/oidc',
];

/** The writes of a signed-in user with a JSON body or none. A body may arrive long after its request was authenticated. */
const WRITES = CALLS.filter(
  ([name, { access, multipart, tus }]) =>
    splitName(name).method !== 'GET' &&
    access === undefined &&
    !multipart &&
    !tus &&
    name !== 'POST /api/auth/logout' &&
    !OFF.includes(name),
).map(([name]) => name);

describeOnBoth('a write whose session ends after it was authenticated', (engine) => {
  let app: TestApp;
  let ahead = 0;
  /** Called with each step of an upload on the server. */
  let onStep: (name: string) => unknown = () => undefined;
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    app = await startTestApp(engine, { now, crashPoint: (name) => onStep(name) });
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
  const holdAll = async (who: Partner, story: Theirs) => {
    const login = { body: { email: who.email, password: who.password } };
    const signIn = async () => {
      const { body } = await new Caller(app.url).call('POST /api/auth/login', login);
      return new Caller(app.url, body.token);
    };
    const sessions = await Promise.all(WRITES.map(signIn));
    ahead += 6 * MINUTE;
    const heldAt = now();
    const held = WRITES.map((name: CallName, index) => {
      const { params = {}, body = {} } = rowOf(name)(story)[0] ?? {};
      return { name, send: holdRequest(sessions[index] ?? who, name, { params, body: body as object, key: uuidv7() }) };
    });
    await expect.poll(() => usedSince(who, heldAt)).toBe(WRITES.length);
    const send = () => Promise.all(held.map(async ({ name, send: sendBody }) => `${name}: ${await sendBody()}`));
    return { send, sessions };
  };
  /** What the couple has, as one partner sees it. */
  const rowsOf = async (who: Partner) => ({
    user: (await who.call('GET /api/auth/session')).body.user,
    ideas: (await who.call('GET /api/DateIdeas')).body,
    dates: (await who.call('GET /api/PlannedDates')).body,
    memories: (await who.call('GET /api/Memories')).body,
    trash: (await who.call('GET /api/Trash')).body,
  });

  const deleteSpace = async (ada: Partner, ben: Partner) => {
    const sure = { body: { currentPassword: ada.password } };
    expect((await ben.call('POST /api/couple/deletion', sure)).status).toBe(200);
    expect((await ada.call('POST /api/couple/deletion', sure)).status).toBe(204);
  };

  const all401 = WRITES.map((name) => `${name}: 401`);

  it('is answered 401 when the session has ended, and changes nothing', {
    tags: ['accounts.sessions.11'],
  }, async () => {
    const { ada, ben } = await registerCouple(app);
    const story = await createMarkedStory(ada, ben);
    const { send, sessions } = await holdAll(ada, story);
    const before = await rowsOf(ada);
    for (const session of sessions) await session.call('POST /api/auth/logout');
    expect(await send()).toEqual(all401);
    expect(await rowsOf(ada)).toEqual(before);
  });

  it('is answered 401 when the space is gone', { tags: ['accounts.sessions.11'] }, async () => {
    const { ada, ben } = await registerCouple(app);
    const { send } = await holdAll(ada, await createMarkedStory(ada, ben));
    await deleteSpace(ada, ben);
    expect(await send()).toEqual(all401);
  });

  it('is answered 401 when the account is gone', { tags: ['accounts.sessions.11'] }, async () => {
    const { ada, ben } = await registerCouple(app);
    const { send } = await holdAll(ada, await createMarkedStory(ada, ben));
    expect((await ada.call('POST /api/auth/leave', { body: { currentPassword: ada.password } })).status).toBe(204);
    expect(await send()).toEqual(all401);
  });

  it('is answered 401 for a photograph that is still being received', { tags: ['accounts.sessions.11'] }, async () => {
    const { ada, ben } = await registerCouple(app);
    const date = await completeDate(ada, { at: now() - DAY, minutes: 90 });
    const form = new Response(await smallPhotoForm(date.id));
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

  onPostgresOnly(engine, () => {
    it('is answered 401 when the space is deleted while it is being saved', {
      tags: ['accounts.sessions.12'],
    }, async () => {
      const { ada, ben } = await registerCouple(app);
      const hold = await holdWrites(app.db, 'ideas');
      const body = { title: 'A walk', category: 'Outdoor' } as const;
      const saving = ada.call('POST /api/DateIdeas', { body }, { headers: { 'idempotency-key': uuidv7() } });
      await expect.poll(hold.waiting).toBe(1);
      await deleteSpace(ada, ben);
      await hold.release();
      expect((await saving).status).toBe(401);
    });
  });
});
