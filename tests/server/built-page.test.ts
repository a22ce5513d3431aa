import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteAndDisk } from '../support/engines.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

describe('the built page', () => {
  let app: TestApp;
  let html: string;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { web: true });
    html = await (await fetch(`${app.url}/dashboard`)).text();
  });
  afterAll(() => app.close());

  const get = (path: string) => fetch(app.url + path, { headers: { 'accept-encoding': 'br' } });

  it('is the same at every path of a screen, and is revalidated each time', async () => {
    for (const path of ['/', '/memories/upload', '/auth/login', '/no-such-screen']) {
      const answer = await get(path);
      expect(await answer.text()).toBe(html);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
    for (const path of ['/api/nothing', '/assets/nothing.js', '/nothing.png'])
      expect((await get(path)).status).toBe(404);
  });

  it('has files that are cached forever, and compressed', { tags: ['screens.first.3'] }, async () => {
    const names = [...html.matchAll(/\/assets\/[\w.-]+\.(?:js|css)/g)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(4);
    for (const name of names) {
      const answer = await get(name);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-encoding')).toBe('br');
    }
  });

  it('has nothing inline', () => {
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)/);
  });

  it('has a worker that is revalidated, and a manifest, with the right media types', async () => {
    const worker = await get('/service-worker.js');
    expect(worker.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    const manifest = await get('/manifest.webmanifest');
    expect(manifest.headers.get('content-type')).toMatch(/^application\/manifest\+json/);
    const { start_url: start, scope, display } = (await manifest.json()) as Record<string, string>;
    expect({ start, scope, display }).toEqual({ start: '/dashboard', scope: '/', display: 'standalone' });
  });

  it('redirects a share to the upload page when no worker handles it', async () => {
    const form = new FormData();
    form.set('photos', new Blob(['x']), 'x.jpg');
    const answer = await fetch(`${app.url}/memories/upload`, { method: 'POST', body: form, redirect: 'manual' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/memories/upload?shared=true');
  });
});
