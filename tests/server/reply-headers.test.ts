import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteAndDisk } from '../support/engines.ts';
import { addIdea } from '../support/factories.ts';
import type { Partner } from '../support/partner.ts';
import { registerAda } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

describe('a reply', () => {
  let app: TestApp;
  let ada: Partner;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { web: true, env: { PUBLIC_URL: 'https://love.example' } });
    ada = await registerAda(app);
  });
  afterAll(() => app.close());

  it('has the security headers, also if it is an error or a page', {
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

  it('of long JSON is compressed for clients that accept it', async () => {
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

  it('with a token is not compressed', async () => {
    const { email, password } = await registerAda(app, 'token@example.org');
    const login = await fetch(`${app.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'accept-encoding': 'br', 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(login.status).toBe(200);
    expect(login.headers.get('content-encoding')).toBeNull();
  });

  it('has HSTS over HTTPS behind a trusted proxy, and nowhere else', { tags: ['wire.http.1'] }, async () => {
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
});
