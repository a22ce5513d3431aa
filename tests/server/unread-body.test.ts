import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteAndDisk } from '../support/engines.ts';
import type { Partner } from '../support/partner.ts';
import { registerAda } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const UNKNOWN = '019ab3c4-1111-7222-8333-444455556666';
/** Far more than fits into the buffers between a client and the server. */
const MANY_BYTES = 30_000_000;

/** A response may precede the end of its request: an unknown date is refused before the photo has arrived. */
describe('a request that is refused before its body has arrived', () => {
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk);
    ada = await registerAda(app);
  });
  afterAll(() => app.close());

  const connections = () =>
    new Promise<number>((done, failed) =>
      app.fastify.server.getConnections((error, count) => (error ? failed(error) : done(count))),
    );

  /** Sends the start of a photo for an unknown date, of `size` bytes. */
  const startPhoto = (size: number, url = app.url): Socket => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}`;
    socket.write(
      `POST /api/Memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${size}\r\n\r\n` +
        `${part('PlannedDateId"')}\r\n\r\n${UNKNOWN}\r\n${part('ImageFile"; filename="a.jpg"')}\r\n\r\n`,
    );
    return socket;
  };

  it('reaches a client that reads the response only after it has sent everything', {
    tags: ['wire.http.5'],
  }, async () => {
    const socket = startPhoto(MANY_BYTES);
    await new Promise<void>((sent) => socket.write(Buffer.alloc(MANY_BYTES), () => sent()));
    const answer = await new Promise<string>((done) => socket.once('data', (data) => done(data.toString('latin1'))));
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    socket.destroy();
  });

  it('does not hold its connection when the client has gone', { tags: ['wire.http.5'] }, async () => {
    const before = await connections();
    const socket = startPhoto(MANY_BYTES);
    await new Promise((done) => socket.once('data', done));
    // The server has not noticed the end of what it does not read.
    socket.write(Buffer.alloc(1_000_000), () => socket.destroy());
    await expect.poll(connections, { timeout: 20_000 }).toBeLessThanOrEqual(before);
  });

  it('is cut off if the client goes on sending without an end', { tags: ['wire.http.5'] }, async () => {
    const timeouts = { headers: 60_000, json: 60_000, request: 60_000, idle: 60_000, unread: 500 };
    const other = await startTestApp(sqliteAndDisk, { storage: app.storage, timeouts: () => timeouts });
    const socket = startPhoto(MANY_BYTES, other.url);
    const sending = setInterval(() => socket.write('x'), 20);
    const closed = new Promise((done) => socket.once('close', done));
    socket.on('error', () => undefined).resume();
    await closed;
    clearInterval(sending);
    await other.close();
  });
});
