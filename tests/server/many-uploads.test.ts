import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sqliteAndDisk } from '../support/engines.ts';
import { planDateId } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { spawnServer } from '../support/spawn-server.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createTestStorage } from '../support/test-storage.ts';
import { photoForm, upload } from '../support/upload.ts';

describe('many uploads at once', () => {
  let app: TestApp;
  let ahead = 0;
  const open: Socket[] = [];
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { now: () => Date.now() + ahead });
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });
  afterAll(() => app.close());

  let small: Buffer;
  beforeAll(async () => {
    small = await makeJpeg({ width: 64, height: 64 });
  });

  /** Starts uploads, and leaves them unfinished. */
  const start = (who: Partner, count: number) => {
    const { hostname, port } = new URL(who.url);
    for (let n = 0; n < count; n += 1) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(
        `POST /api/Memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${who.token}\r\n` +
          'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\n',
      );
      open.push(socket);
    }
  };
  /** Checks a photo, which counts as an upload and saves nothing. */
  const check = (who: Partner) => who.call('POST /api/Memories/validate', { body: photoForm(small, {}) });
  /** Takes all places of a couple with unfinished uploads. */
  const takeAllPlaces = async (who: Partner) => {
    start(who, 100);
    const takeAnother = async () => {
      const { status } = await check(who);
      // A check takes a place too, so an upload that arrived during it may have been refused.
      if (status === 200) start(who, 1);
      return status;
    };
    await expect.poll(takeAnother).toBe(429);
  };

  it('are refused with 429 beyond the limit of a couple, until it has gone', { tags: ['wire.http.6'] }, async () => {
    const { ada: first } = await registerCouple(app);
    const { ada: second } = await registerCouple(app);
    await takeAllPlaces(first);
    expect((await check(first)).headers.get('retry-after')).toBe('5');
    expect((await check(second)).status).toBe(200);

    for (const socket of open.splice(0)) socket.destroy();
    await expect.poll(async () => (await check(first)).status, { timeout: 20_000 }).toBe(200);
  });

  it('are refused with 503 beyond the limit of a node, until they are slow', { tags: ['wire.http.6'] }, async () => {
    const couples = await Promise.all([1, 2, 3, 4].map(() => registerCouple(app)));
    const [first, second, third, fourth] = couples.map(({ ada }) => ada) as [Partner, Partner, Partner, Partner];
    for (const who of [first, second, third]) await takeAllPlaces(who);
    const refused = await check(fourth);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({
      message: 'Too many photographs are on their way right now. Please try again.',
    });

    // Once they have sent nothing for a while, the places go to others, and the answer says so.
    const answers = open.map((socket) => once(socket, 'data') as Promise<[Buffer]>);
    ahead += 11_000;
    const dateId = await planDateId(fourth);
    expect((await upload(fourth, small, { dateId })).status).toBe(201);
    const [answer] = await Promise.any(answers);
    expect(answer.toString()).toMatch(/^HTTP\/1.1 503 [^]*retry-after: 5/i);
  });

  it('take a bounded amount of memory, and are all saved', { tags: ['wire.http.6'] }, async () => {
    const storage = await createTestStorage(sqliteAndDisk);
    const server = await spawnServer(storage);
    const { ada } = await registerCouple(server);
    const dateId = await planDateId(ada);
    const photo = await makeJpeg({ width: 4000, height: 3000 });
    // Bytes behind the image make each file another one.
    const sending = Array.from({ length: 100 }, (_, n) =>
      upload(ada, Buffer.concat([photo, Buffer.from(`${n}`)]), { dateId }),
    );
    const results = await Promise.all(sending);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await ada.call('GET /api/Memories', { query: { count: '500' } })).body).toHaveLength(100);
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
      const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
      expect(peak).toBeLessThan(300);
    }
    await server.kill();
    await storage.remove();
  });
});
