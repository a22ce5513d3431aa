import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseSsrData, SIGN_OUT_PENDING_COOKIE, SSR_DATA_ID } from '../../src/base/ssr.ts';
import { MINUTE } from '../../src/base/time.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Partner, registerCouple } from '../support/client.ts';
import { describeOnBoth } from '../support/engines.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../support/factories.ts';

const PHONE =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36';
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

describeOnBoth('the first page on a phone', (engine) => {
  let clock = Date.now();
  let app: TestApp;
  let us: Partner;
  let others: Partner;
  let paths: Readonly<Record<string, string>>;
  beforeAll(async () => {
    app = await startTestApp(engine, { web: true, now: () => clock });
    us = (await registerCouple(app)).ada;
    others = (await registerCouple(app)).ada;
    const idea = await addIdea(us, { title: 'Heads is left' });
    const done = await completeDate(us, {
      idea: { title: 'A lantern & <walk>' },
      at: '2026-11-20T14:00:00Z',
      minutes: 60,
    });
    await addPhoto(us, done.id, 1, 'The lit bridge');
    const planned = await planDate(us, { idea: { title: 'The slow lunch' } });
    await addIdea(others, { title: 'Tails is right' });
    paths = {
      'The slow lunch': '/dashboard',
      'Heads is left': '/date-ideas',
      'Edit Date Idea': `/date-ideas/${idea.id}/edit`,
      'Plan a Date': `/date-ideas/${idea.id}/plan`,
      'A lantern &amp; &lt;walk&gt;': '/planned-dates?filter=completed',
      'The lit bridge': `/planned-dates/${done.id}`,
      'Edit Date': `/planned-dates/${planned.id}/edit`,
      'Our Memories': '/memories',
      'Add Beautiful Memories': '/memories/upload',
      'Date Categories': '/stats',
      [us.email]: '/settings',
    };
  });
  afterAll(() => app.close());

  const open = (path: string, cookie: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(app.url + path, { headers: { cookie, 'user-agent': PHONE, ...headers } });
  const plain = async () => (await fetch(`${app.url}/dashboard`)).text();

  it('contains what its screen shows, for every screen', async () => {
    for (const [text, path] of Object.entries(paths)) {
      const answer = await open(path, us.cookie);
      const [html = ''] = (await answer.text()).split('<script type="application/json"');
      expect(html, path).toContain(text);
      expect(html).toContain('<h1');
    }
  });

  it('is not stored, holds no secret and nothing inline that a browser would run', async () => {
    for (const path of Object.values(paths)) {
      const answer = await open(path, us.cookie);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'self';style-src 'self'/);
      const html = await answer.text();
      expect(html).not.toContain(us.token);
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*(\bsrc=|type="application\/json"))/);
      expect(html.match(new RegExp(`<script type="application/json" id="${SSR_DATA_ID}">`, 'g'))).toHaveLength(1);
    }
  });

  it('does not preload React, unlike the plain page', async () => {
    const preload = /<link rel="modulepreload" href="\/assets\/react-/;
    expect(await plain()).toMatch(preload);
    expect(await (await open('/dashboard', us.cookie)).text()).not.toMatch(preload);
  });

  it('is rendered for phones and page loads only', async () => {
    expect(await (await open('/dashboard', us.cookie, { 'user-agent': DESK })).text()).toBe(await plain());
    expect(await (await open('/dashboard', us.cookie, { 'sec-fetch-dest': 'iframe' })).text()).toBe(await plain());
  });

  it('is rendered only for the user of a live session', async () => {
    const guest = await registerCouple(app);
    await guest.ben.call('POST /api/auth/logout');
    for (const cookie of ['', guest.ben.cookie, `${us.cookie}x`, `${us.cookie}; ${SIGN_OUT_PENDING_COOKIE}=1`]) {
      const answer = await open('/dashboard', cookie);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toBe(await plain());
    }
  });

  it('is rendered by the browser if the screen or the couple’s data does not exist', async () => {
    const nothing = '/planned-dates/01890000-0000-7000-8000-000000000000';
    for (const path of ['/', '/no-such-screen', '/auth/login', nothing]) {
      expect(await (await open(path, us.cookie)).text()).toBe(await plain());
    }
    // Data of another couple is treated as if it did not exist.
    for (const path of Object.values(paths).filter((one) => /[0-9a-f]{8}-/.test(one))) {
      expect(await (await open(path, others.cookie)).text()).toBe(await plain());
    }
  });

  it('shows each couple their own data when many pages are rendered at the same time', async () => {
    const both = [us, others, us, others, us, others, us, others];
    const pages = await Promise.all(both.map(async ({ cookie }) => (await open('/date-ideas', cookie)).text()));
    for (const [n, html] of pages.entries()) {
      expect(html.includes('Heads is left')).toBe(both[n] === us);
      expect(html.includes('Tails is right')).toBe(both[n] === others);
    }
  });

  it('carries the same data before and after the token is renewed', async () => {
    for (const path of Object.values(paths)) {
      // Long enough that the session's last use is due to be updated.
      clock += 6 * MINUTE;
      const before = dataIn(await (await open(path, us.cookie)).text());
      expect(before.length, path).toBeGreaterThan(0);
      clock += 1000;
      expect(await us.renew()).toBe(true);
      expect(dataIn(await (await open(path, us.cookie)).text()), path).toEqual(before);
    }
  });

  it('escapes its data block', async () => {
    const block = dataBlock(await (await open('/planned-dates?filter=completed', us.cookie)).text());
    expect(block).not.toContain('<');
    expect(block).toContain('A lantern & \\u003cwalk>');
  });
});

function dataBlock(html: string): string {
  return new RegExp(`id="${SSR_DATA_ID}">(.*?)</script>`, 's').exec(html)?.[1] ?? '';
}

/** The data of the queries that came with a page, by their hashes. */
function dataIn(html: string) {
  const { queries } = parseSsrData(dataBlock(html)).queries as {
    readonly queries: readonly { readonly queryHash: string; readonly state: { readonly data: unknown } }[];
  };
  return queries.map(({ queryHash, state }) => [queryHash, state.data]);
}
