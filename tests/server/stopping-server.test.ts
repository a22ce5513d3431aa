import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeOnPostgres } from '../support/engines.ts';
import { subscribeToEvents } from '../support/event-stream.ts';
import { addIdea, planDate, smallPhotoForm } from '../support/factories.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { spawnServer } from '../support/spawn-server.ts';
import { startTestApp } from '../support/test-app.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';

/** A photograph's upload as it is on the wire, up to the middle of its body, and the rest. */
async function uploadInHalves(who: Partner): Promise<readonly [Buffer, Buffer]> {
  const form = new Response(await smallPhotoForm((await planDate(who)).id));
  const type = form.headers.get('content-type');
  const body = Buffer.from(await form.arrayBuffer());
  const head = `POST /api/Memories HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${who.token}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const middle = body.length >> 1;
  return [Buffer.concat([Buffer.from(head), body.subarray(0, middle)]), body.subarray(middle)];
}

/**
 * Opens a connection, and sends the bytes. `answered` returns what was answered so far; `answers` resolves with all of it,
 * once the connection is closed.
 */
function send(url: string, bytes: Buffer) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  const answers = new Promise<string>((done, failed) => {
    socket.on('error', failed);
    socket.on('close', () => done(text));
  });
  return { socket, answered: () => text, answers };
}

describeOnPostgres('a server that stops', (engine) => {
  let storage: TestStorage;
  beforeEach(async () => {
    storage = await createTestStorage(engine);
  });
  afterEach(() => storage.remove());

  it('says so in /readyz and serves for DRAIN_SECONDS, with its uploads and event streams', {
    tags: ['durability.nodes.3'],
  }, async () => {
    // Longer than what follows, however busy the machine is.
    const server = await spawnServer(storage, { env: { DRAIN_SECONDS: '3600' } });
    const { ada, ben } = await registerCouple(server);
    const heard = await subscribeToEvents(ben);
    const [half, rest] = await uploadInHalves(ada);
    const upload = send(server.url, half);
    process.kill(server.pid, 'SIGTERM');
    const readiness = () => fetch(`${server.url}/readyz`);
    await expect.poll(async () => (await readiness()).status).toBe(503);
    expect((await readiness()).headers.get('retry-after')).toBe('5');
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const { id } = await addIdea(ada);
    let change = await heard.next();
    while (change.id !== id) change = await heard.next();
    upload.socket.write(rest);
    await expect.poll(upload.answered).toMatch(/^HTTP\/1\.1 201 /);
    upload.socket.destroy();
    heard.close();
    await server.kill('SIGKILL');

    const next = await spawnServer(storage, { env: { DRAIN_SECONDS: '1' } });
    const ended = await subscribeToEvents(ben.at(next));
    const signaledAt = performance.now();
    expect(await next.kill('SIGTERM')).toBe(0);
    expect(performance.now() - signaledAt).toBeGreaterThan(1_000);
    // A page reconnects elsewhere, and then refetches everything.
    const untilEnd = async () => {
      for (;;) await ended.next();
    };
    await expect(untilEnd()).rejects.toThrow('The event stream ended');
  });

  it('answers a request that follows an upload on its connection, and then closes the connection', {
    tags: ['durability.nodes.4'],
  }, async () => {
    const app = await startTestApp(engine, { storage });
    const { ada } = await registerCouple(app);
    const [half, rest] = await uploadInHalves(ada);
    const arrived = once(app.fastify.server, 'request');
    const { socket, answers } = send(app.url, half);
    await arrived;
    const closed = app.close();
    await expect.poll(() => app.fastify.server.listening).toBe(false);
    socket.write(Buffer.concat([rest, Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')]));
    const statuses = [...(await answers).matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    expect(statuses).toEqual(['201', '200']);
    await closed;
  });
});
