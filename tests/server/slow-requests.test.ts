import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteAndDisk } from '../support/engines.ts';
import { planDate } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';
import type { Partner } from '../support/partner.ts';
import { registerAda } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

/** Slow requests are cut off, so that they don't hold up others (ASVS: slow requests). */
describe('a slow request', () => {
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { timeouts: (usual) => ({ ...usual, headers: 300, json: 300 }) });
    ada = await registerAda(app);
  });
  afterAll(() => app.close());

  /** Sends the start, then a byte every 50 ms. Returns what was received when the server closes the connection. */
  const drip = (begin: string, byte: string, url = app.url) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.write(begin);
      const dripping = setInterval(() => socket.write(byte), 50);
      socket.on('data', (data) => {
        answer += data.toString('latin1');
      });
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
      });
      socket.on('close', () => {
        clearInterval(dripping);
        resolve(answer);
      });
    });
  const post = (headers: string) =>
    `POST /api/DateIdeas HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\n${headers}\r\n\r\n`;

  it('is cut off while it sends its headers', { tags: ['wire.http.4'] }, async () => {
    expect(await drip('GET /healthz HTTP/1.1\r\nHost: x\r\nX: ', 'a')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('is cut off while it sends its JSON', async () => {
    expect(await drip(post('Content-Type: application/json\r\nContent-Length: 100000'), ' ')).toMatch(
      /^HTTP\/1\.1 408 /,
    );
  });

  it('is cut off when nothing more arrives', { tags: ['wire.http.4'] }, async () => {
    // A server of its own: while this process rests, nothing arrives at a server either.
    const other = await startTestApp(sqliteAndDisk, {
      storage: app.storage,
      timeouts: (usual) => ({ ...usual, idle: 1500 }),
    });
    const date = await planDate(ada);
    const form = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000';
    const begin = `--b\r\nContent-Disposition: form-data; name="PlannedDateId"\r\n\r\n${date.id}\r\n`;
    await drip(post(form).replace('DateIdeas', 'Memories') + begin, '', other.url);
    expect((await ada.call('GET /api/Memories')).body).toEqual([]);
    await other.close();
  });

  it('may continue if it is an upload that still makes progress', { tags: ['wire.http.4'] }, async () => {
    const date = await planDate(ada);
    const jpeg = await makeJpeg({ width: 400, height: 300, seed: 1 });
    const part = (name: string, more = '') => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
    const head = `${part('PlannedDateId')}${date.id}\r\n${part('ImageFile', '; filename="a.jpg"')}`;
    const body = Buffer.concat([Buffer.from(head), jpeg, Buffer.from('\r\n--b--\r\n')]);
    const pieces = Array.from({ length: 12 }, (_, index) =>
      body.subarray((body.length * index) / 12, (body.length * (index + 1)) / 12),
    );
    const slowly = async function* () {
      for (const piece of pieces) {
        yield piece;
        // Twelve pauses take far longer than the timeout for JSON.
        await new Promise((rested) => setTimeout(rested, 60));
      }
    };
    const answer = await fetch(`${app.url}/api/Memories`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'multipart/form-data; boundary=b' },
      body: slowly() as unknown as ReadableStream,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(201);
  });
});
