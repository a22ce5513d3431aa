import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Caller } from '../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { completeDate } from '../../../tests/support/factories.ts';
import { makeJpeg } from '../../../tests/support/images.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { createUpload, partRequest, readUploadStatus, sendPart, uploadIdOf } from '../../../tests/support/tus.ts';
import { resumeCouple, suspendCouple } from '../../auth/server/operator/suspension-store.ts';
import type { CoupleId } from '../../base/ids.ts';

/** How many bytes are held back. */
const HELD_BYTES = 20;

describeOnBoth('a photograph whose sender may no longer send when its last bytes arrive', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let dateId: string;
  let receiving = Promise.withResolvers<void>();
  beforeAll(async () => {
    app = await startTestApp(engine, { crashPoint: (name) => void (name === 'receiving' && receiving.resolve()) });
  });
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(app));
    dateId = (await completeDate(ada, { at: Date.now() - 86_400_000, minutes: 60 })).id;
  });
  afterAll(() => app.close());

  /** Sends a request without its last bytes. @returns a function that sends them, and returns the status of the answer */
  const holdBytes = (method: string, path: string, headers: Record<string, string>, bytes: Buffer) => {
    const sending = request(app.url + path, { method, headers: { ...headers, 'content-length': bytes.length } });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.write(bytes.subarray(0, -HELD_BYTES));
    return async () => {
      sending.end(bytes.subarray(-HELD_BYTES));
      const [answer] = await answered;
      answer.resume();
      return answer.statusCode;
    };
  };
  /** Sends a form without its last bytes, as `holdBytes` does, and waits until the server receives it. */
  const holdForm = async (sender: Caller) => {
    receiving = Promise.withResolvers();
    const field = '--xx\r\nContent-Disposition: form-data; name=';
    const form = Buffer.concat([
      Buffer.from(`${field}"PlannedDateId"\r\n\r\n${dateId}\r\n${field}"ImageFile"; filename="a.jpg"\r\n\r\n`),
      await makeJpeg({ seed: 31, width: 320, height: 240 }),
      Buffer.from('\r\n--xx--\r\n'),
    ]);
    const headers = { authorization: `Bearer ${sender.token}`, 'content-type': 'multipart/form-data; boundary=xx' };
    const send = holdBytes('POST', '/api/Memories', headers, form);
    await receiving.promise;
    return send;
  };
  /** Sends a part that is all of a photograph without its last bytes, as `holdBytes` does, and waits for its lock. */
  const holdPart = async (sender: Caller, photo: Buffer) => {
    const id = uploadIdOf(await createUpload(sender, photo.length, { dateId }));
    const { headers, raw } = partRequest(0, photo);
    const all = { ...headers, authorization: `Bearer ${sender.token}`, 'content-type': raw.type };
    const send = holdBytes('PATCH', `/api/Memories/tus/${id}`, all, photo);
    await expect.poll(() => lockedByOf(id)).toBeTruthy();
    return { id, send };
  };
  const signInAgain = async ({ email, password }: Partner) => {
    const { body } = await new Caller(app.url).call('POST /api/auth/login', { body: { email, password } });
    return new Caller(app.url, body.token);
  };
  const countMemories = async () => (await ada.call('GET /api/Memories')).body.length;
  const lockedByOf = async (id: string) =>
    (await app.db.read.selectFrom('uploads').select('lockedBy').where('id', '=', id).executeTakeFirst())?.lockedBy;
  /** Expects that the server has all bytes of a photograph, so that an empty part completes it. */
  const expectComplete = async (sender: Caller, id: string, { length }: Buffer) => {
    expect((await readUploadStatus(sender, id)).offset).toBe(length);
    expect((await sendPart(sender, id, length, Buffer.alloc(0))).status).toBe(204);
    expect(await countMemories()).toBe(1);
  };

  it.each([
    ['signed out', (sender: Caller) => sender.request('POST /api/auth/logout')],
    ['left', (sender: Caller) => sender.request('POST /api/auth/leave', { body: { currentPassword: ben.password } })],
  ])('is not saved if they have %s', { tags: ['accounts.sessions.13'] }, async (_, end) => {
    const sender = await signInAgain(ben);
    const send = await holdForm(sender);
    expect((await end(sender)).status).toBe(204);
    expect(await send()).toBe(401);
    expect(await countMemories()).toBe(0);
  });

  it('keeps its parts, and is saved after signing in again', { tags: ['accounts.sessions.13'] }, async () => {
    const photo = await makeJpeg({ seed: 32, width: 320, height: 240 });
    const sender = await signInAgain(ada);
    const { id, send } = await holdPart(sender, photo);
    await sender.call('POST /api/auth/logout');
    expect(await send()).toBe(401);
    expect(await countMemories()).toBe(0);
    await expectComplete(await signInAgain(ada), id, photo);
  });

  it('is not saved if their space was suspended, and its parts are kept', {
    tags: ['running.suspended.1'],
  }, async () => {
    const coupleId = ada.user.couple.id as CoupleId;
    const photo = await makeJpeg({ seed: 33, width: 320, height: 240 });
    const sendForm = await holdForm(ada);
    const part = await holdPart(ada, photo);
    await app.db.write((tx) => suspendCouple(tx, coupleId, Date.now()));
    expect(await Promise.all([sendForm(), part.send()])).toEqual([403, 403]);
    await app.db.write((tx) => resumeCouple(tx, coupleId, Date.now()));
    expect(await countMemories()).toBe(0);
    await expectComplete(ada, part.id, photo);
  });
});
