import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contracts } from '../../src/app/server/slices.ts';
import type { Partner } from '../support/client.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { addIdea, addPhoto, planDate } from '../support/factories.ts';
import { registerAda } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

/** Malformed and hostile requests, checked against docs/product/wire.md and docs/asvs.md. */
describe('the wire', () => {
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { web: true, env: { PUBLIC_URL: 'https://love.example' } });
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
  const json = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${app.url}/api/DateIdeas`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json', ...headers },
      body,
    });

  it('has the security headers on every reply, including errors and pages', {
    tags: ['wire.http.1', 'screens.first.4'],
  }, async () => {
    const idea = await addIdea(ada);
    const bearer = { authorization: `Bearer ${ada.token}` };
    const requests: [string, RequestInit, number][] = [
      ['/api/DateIdeas', { headers: bearer }, 200],
      [`/api/DateIdeas/${idea.id}`, { headers: bearer }, 200],
      ['/api/DateIdeas', {}, 401],
      ['/api/DateIdeas/nothing', { headers: bearer }, 404],
      ['/api/nothing', {}, 404],
      ['/api/DateIdeas', { method: 'POST', headers: { ...bearer, 'content-type': 'text/plain' }, body: 'x' }, 415],
      [
        '/api/DateIdeas',
        { method: 'POST', headers: { ...bearer, 'content-type': 'application/json' }, body: '{' },
        400,
      ],
      ['/api/%E0%A4%A', {}, 404],
      ['/dashboard', {}, 200],
      ['/assets/nothing.js', {}, 404],
      ['/healthz', {}, 200],
      ['/api/openapi.json', {}, 200],
    ];
    for (const [path, init, status] of requests) {
      const { headers, ...answer } = await fetch(app.url + path, init).then((it) => ({
        headers: it.headers,
        status: it.status,
      }));
      expect(answer.status, path).toBe(status);
      expect(Object.fromEntries(headers), path).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
      });
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, path).toContain("frame-ancestors 'none'");
      expect(policy, path).toContain("default-src 'none'");
      expect(policy, path).not.toMatch(/unsafe-|\*|https?:/);
      for (const name of headers.keys()) expect(name, path).not.toMatch(/^access-control-|^x-powered-by|^server$/);
      if (path.startsWith('/api/') && status !== 200) expect(headers.get('cache-control'), path).toBe('no-store');
    }
  });

  it('compresses long JSON for clients that accept it', async () => {
    const someone = await registerAda(app, 'small@example.org');
    for (let n = 0; n < 12; n += 1) await addIdea(someone, { description: 'Along the river, and back. '.repeat(8) });
    const { body } = await someone.call('GET /api/DateIdeas');
    for (const path of ['/api/DateIdeas', '/api/DateIdeas/active']) {
      for (const [encoding, sent] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip', 'gzip'],
        ['br;q=0, gzip;q=0.5', 'gzip'],
        ['identity', null],
        ['br;q=0', null],
        ['gzip, br;q=0.5', 'gzip'],
        ['*', 'br'],
        ['*, br;q=0', 'gzip'],
        ['identity, br;q=0.1', null],
      ] as const) {
        const headers = { authorization: `Bearer ${someone.token}`, 'accept-encoding': encoding };
        const answer = await fetch(app.url + path, { headers });
        expect(answer.headers.get('content-encoding'), encoding).toBe(sent);
        expect(answer.headers.get('vary')).toContain('Accept-Encoding');
        if (sent !== null)
          expect(Number(answer.headers.get('content-length'))).toBeLessThan(JSON.stringify(body).length / 3);
        expect(await answer.json()).toHaveLength(12);
      }
    }
  });

  it('compresses no reply with a token', async () => {
    const { email, password } = await registerAda(app, 'token@example.org');
    const login = await fetch(`${app.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'accept-encoding': 'br', 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(login.status).toBe(200);
    expect(login.headers.get('content-encoding')).toBeNull();
  });

  it('sends HSTS over HTTPS behind a trusted proxy, and nowhere else', { tags: ['wire.http.1'] }, async () => {
    for (const [trusted, expected] of [
      ['0', null],
      ['1', 'max-age=31536000; includeSubDomains'],
    ] as const) {
      const plain = await startTestApp(sqliteAndDisk, { env: { TRUST_PROXY: trusted } });
      const { headers } = await fetch(`${plain.url}/healthz`, { headers: { 'x-forwarded-proto': 'https' } });
      expect(headers.get('strict-transport-security')).toBe(expected);
      await plain.close();
    }
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

  it('accepts only JSON in UTF-8 up to a limited size', { tags: ['wire.http.2'] }, async () => {
    const idea = { title: 'A walk', category: 'Outdoor' };
    const body = JSON.stringify(idea);
    const limit = 1_048_576;
    const padded = (bytes: number) => body.replace('{', `{"more":"${'x'.repeat(bytes - body.length - 10)}",`);
    expect(padded(limit).length).toBe(limit);
    expect((await json(padded(limit))).status).toBe(201);
    expect((await json(padded(limit + 1))).status).toBe(413);
    for (const [type, status] of [
      ['application/json; charset=utf-8', 201],
      ['application/json; charset=iso-8859-1', 415],
      ['application/json; charset=utf-16', 415],
      ['text/plain', 415],
      ['application/x-www-form-urlencoded', 415],
      ['application/xml', 415],
    ] as const)
      expect((await json(body, { 'content-type': type })).status, type).toBe(status);
    for (const encoding of ['gzip', 'br', 'deflate'])
      expect((await json(body, { 'content-encoding': encoding })).status, encoding).toBe(415);
    for (const broken of ['', '{', '[]', 'null', '"text"', '1', '{"title":', `${body},`])
      expect((await json(broken)).status, broken).toBe(400);
  });

  it('survives bodies of any depth, and sets no unknown fields', { tags: ['wire.http.2'] }, async () => {
    const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
    expect((await json(`{"title":"Deep","category":"Outdoor","more":${deep}}`)).status).toBe(201);
    expect((await json(deep)).status).toBe(400);
    const answer = await json(
      '{"title":"Mine","category":"Outdoor","__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},' +
        '"id":"0192aaaa-0000-7000-8000-000000000000","coupleId":"another","createdAt":"2001-01-01T00:00:00.000Z","plannedDatesCount":99}',
    );
    expect(answer.status).toBe(201);
    const idea = (await answer.json()) as Record<string, unknown>;
    expect(idea).toMatchObject({ title: 'Mine', plannedDatesCount: 0 });
    expect(idea.id).not.toBe('0192aaaa-0000-7000-8000-000000000000');
    expect(idea.createdAt).not.toBe('2001-01-01T00:00:00.000Z');
    expect(Object.keys(idea)).not.toContain('coupleId');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  it('refuses texts that cannot be displayed, and saves all others unchanged', { tags: ['wire.http.2'] }, async () => {
    const post = (title: string) => json(JSON.stringify({ title, category: 'Outdoor' }));
    for (const title of ['nul\u0000', 'bell\u0007', 'escape\u001b[31m', 'half \ud83d', 'other half \udc9b']) {
      const answer = await post(title);
      expect(answer.status, JSON.stringify(title)).toBe(400);
      expect((await answer.json()) as object).toMatchObject({ errors: [{ field: 'title' }] });
    }
    // Stacked marks, changes of direction, and markup are text: saved and shown only as text.
    for (const title of [
      'Z̸̡̛͖a̵͝l̷g̶o̴',
      '\u202Ereversed',
      '<img src=x onerror=alert(1)>',
      "'; drop table ideas; --",
      '👨‍👩‍👧‍👦',
    ])
      expect(((await (await post(title)).json()) as { title: string }).title).toBe(title.normalize('NFC'));
    expect(
      (await json(Buffer.from('{"title":"\xff\xfe","category":"Outdoor"}', 'latin1').toString('latin1'))).status,
    ).toBe(201);
    const { hostname } = new URL(app.url);
    const bytes = '{"title":"\xff\xfe\xfd","category":"Outdoor"}';
    const answer = await raw(
      `POST /api/DateIdeas HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n${bytes}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('refuses dates that do not exist', { tags: ['wire.values.6'] }, async () => {
    const { id } = await addIdea(ada);
    for (const plannedDateTime of [
      '2027-02-30T19:00:00.000Z',
      '2027-02-29T19:00:00Z',
      '2027-13-01T19:00:00Z',
      '2027-04-31T19:00:00Z',
      '2027-01-01T24:30:00Z',
      '2027-01-01T19:60:00Z',
      '2026-12-31T23:59:60Z',
      '2027-01-01T19:00:00+25:00',
      '2027-01-01T19:00:00',
      '2027-01-01',
      '01/02/2027',
      '1e12',
      'tomorrow',
    ]) {
      const { status, problem } = await ada.call('POST /api/PlannedDates', {
        body: { dateIdeaId: id, plannedDateTime },
      });
      expect(status, plannedDateTime).toBe(400);
      expect(problem.errors.map(({ field }) => field)).toEqual(['plannedDateTime']);
    }
  });

  it('finds nothing for malformed ids', { tags: ['wire.errors.3'] }, async () => {
    const ids = ['%00', "'", '%27%20or%201=1--', 'a'.repeat(3000), '-1', 'null', '%F0%9F%92%9B', '%25%32%66', '0'];
    const names = Object.values(contracts).flatMap((calls) => Object.keys(calls));
    const withId = names.filter((name) => name.startsWith('GET ') && /\{(id|\w+Id|fileName|category)\}$/.test(name));
    expect(withId.length).toBeGreaterThan(4);
    for (const name of withId) {
      for (const id of ids) {
        const path = name.slice(4).replace(/\{\w+\}$/, id);
        const { status } = await fetch(app.url + path, { headers: { authorization: `Bearer ${ada.token}` } });
        // A category is not an id: an unknown one is 400.
        expect(name.includes('category') ? [400, 404] : [404], `${name} ${id.slice(0, 20)}`).toContain(status);
      }
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
