import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteAndDisk } from '../support/engines.ts';
import { addIdea, addPhoto, planDate } from '../support/factories.ts';
import type { Partner } from '../support/partner.ts';
import { registerAda } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

/** Requests that no browser sends, as bytes on a socket. */
describe('a server that gets hostile requests', () => {
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { web: true });
    ada = await registerAda(app);
  });
  afterAll(() => app.close());

  /** Writes bytes to a socket of the server. Returns what it receives until the server closes the socket. */
  const raw = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(app.url);
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.on('data', (data) => {
        answer += data.toString('latin1');
      });
      socket.on('error', reject).on('close', () => resolve(answer));
      socket.write(bytes, 'latin1');
    });

  it('answers an unparsable request with a problem in the same format', {
    tags: ['wire.errors.1', 'wire.http.1'],
  }, async () => {
    for (const [bytes, status] of [
      ['NONSENSE\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
      ['GET / HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n', 400],
    ] as const) {
      const answer = await raw(bytes);
      expect(answer).toContain(`HTTP/1.1 ${status} `);
      expect(answer).toContain('application/problem+json');
      expect(answer).toContain("frame-ancestors 'none'");
      expect(answer).not.toMatch(/node:|\.ts|at /);
    }
  });

  describe('garbage after a request', { tags: ['wire.http.3'] }, () => {
    const GARBAGE = 'NONSENSE\r\n\r\n';
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\n\r\n`;
    /** Splits the bytes of a connection into replies, each with a body as long as its Content-Length. */
    const answersIn = (text: string) => {
      const answers: { status: number; body: string; length: number }[] = [];
      for (let rest = text; rest !== ''; ) {
        const [head = ''] = rest.split('\r\n\r\n', 1);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        const body = rest.slice(head.length + 4, head.length + 4 + length);
        answers.push({ status: Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]), body, length });
        rest = rest.slice(head.length + 4 + length);
      }
      return answers;
    };

    it('is answered after the replies before it', async () => {
      const answers = answersIn(await raw(get('/api/DateIdeas') + get('/api/auth/session') + GARBAGE));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
      for (const { body, length } of answers) expect(body).toHaveLength(length);
      expect(JSON.parse(answers[2]?.body ?? '')).toMatchObject({ status: 400 });
    });

    it('adds nothing to a stream that is being sent', async () => {
      const { hostname, port } = new URL(app.url);
      const socket = connect(Number(port), hostname, () => socket.write(get('/api/events')));
      let received = '';
      socket.on('data', (data) => {
        received += data.toString();
      });
      await expect.poll(() => received).toMatch(/retry: \d+/);
      await new Promise((done) => socket.write(GARBAGE, done));
      // The server reads the garbage first, because this is sent later on another connection.
      for (const title of ['One', 'Two']) await addIdea(ada, { title });
      await expect.poll(() => received.match(/event: change/g)).toHaveLength(2);
      expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
      socket.destroy();
    });

    it("ends a request if it is in the request's body", async () => {
      const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked';
      const post = `POST /api/DateIdeas HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\n${chunked}\r\n\r\n`;
      const answers = answersIn(await raw(`${post}zz\r\n`));
      expect(answers.map(({ status }) => status)).toEqual([400]);
      const second = answersIn(await raw(`${get('/api/DateIdeas')}${post}zz\r\n`));
      expect(second.map(({ status }) => status)).toEqual([200, 400]);
    });
  });

  it('accepts no request with two Authorization headers', { tags: ['wire.errors.6'] }, async () => {
    const photo = await addPhoto(ada, (await planDate(ada)).id);
    const good = `Authorization: Bearer ${ada.token}\r\n`;
    for (const path of ['/api/DateIdeas', photo.imageUrl]) {
      const get = (headers: string) => raw(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`);
      expect(await get(good)).toMatch(/^HTTP\/1\.1 200 /);
      for (const other of [good, 'authorization: Bearer other\r\n', 'AUTHORIZATION: Basic YTpi\r\n']) {
        for (const two of [good + other, other + good]) {
          const answer = await get(`Cookie: ${ada.cookie}\r\n${two}`);
          expect(answer).toMatch(/^HTTP\/1\.1 401 /);
          expect(answer).toMatch(/www-authenticate: Bearer/i);
        }
      }
    }
  });

  it('does not reflect the request', async () => {
    const headers = 'Host: x\r\nConnection: close\r\nX-Secret: told';
    for (const method of ['TRACE', 'TRACK', 'DEBUG'])
      expect(await raw(`${method} /api/DateIdeas HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 4\d\d (?:(?!told)[\s\S])*$/,
      );
  });

  it('prevents request smuggling', { tags: ['wire.http.4'] }, async () => {
    const inner = 'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
    const post = (headers: string, body: string) =>
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
    for (const bytes of [
      post(`Content-Length: 4\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${inner}`),
      post(`Transfer-Encoding: chunked\r\nContent-Length: 4`, `0\r\n\r\n${inner}`),
      post(`Content-Length: 0\r\nContent-Length: ${inner.length}`, inner),
      post(`Content-Length: 0, ${inner.length}`, inner),
      post('Transfer-Encoding: xchunked', `0\r\n\r\n${inner}`),
      post('Transfer-Encoding : chunked', `0\r\n\r\n${inner}`),
      post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${inner}`),
      post('Transfer-Encoding: chunked', `0x0\r\n\r\n${inner}`),
      post('Content-Length: +0', inner),
      `GET /healthz HTTP/1.1\nHost: x\n\n${inner}`,
    ]) {
      const answer = await raw(bytes);
      expect(answer, bytes).not.toContain('"openapi"');
      expect(answer, bytes).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  it('serves nothing from the data folder under any path', { tags: ['wire.errors.3'] }, async () => {
    const date = await planDate(ada);
    const photo = await addPhoto(ada, date.id);
    const dotdots = ['..', '%2e%2e', '%2E%2E', '.%2e', '%252e%252e', '..%5c', '..%c0%af', '%c0%ae%c0%ae'];
    const aims = [
      'our-love-story.db',
      'love.db',
      'data/our-love-story.db',
      `photos/${photo.fileName}`,
      'package.json',
      'etc/passwd',
    ];
    for (const dots of dotdots) {
      for (const slash of ['/', '%2f', '%5c', '//']) {
        for (const aim of aims) {
          for (const root of ['/', '/assets/', '/api/Memories/image/', '/api/']) {
            const answer = await raw(
              `GET ${root}${`${dots}${slash}`.repeat(4)}${aim} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\nConnection: close\r\n\r\n`,
            );
            const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
            if (head.startsWith('HTTP/1.1 200')) expect(body).toMatch(/<!doctype html>/i);
            else expect(head).toMatch(/^HTTP\/1\.1 4\d\d/);
            expect(answer).not.toMatch(/SQLite format|root:x:|"optionalDependencies"/);
          }
        }
      }
    }
  });

  it('survives a thousand idle sockets', { tags: ['wire.http.4'] }, async () => {
    const { hostname, port } = new URL(app.url);
    const sockets = await Promise.all(
      Array.from(
        { length: 1000 },
        () =>
          new Promise<ReturnType<typeof connect>>((resolve, reject) => {
            const socket = connect(Number(port), hostname, () => resolve(socket));
            socket.on('error', reject);
          }),
      ),
    );
    try {
      const { status } = await ada.call('GET /api/DateIdeas');
      expect(status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});
