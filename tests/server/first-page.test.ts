import { afterAll, beforeAll, expect, it } from 'vitest';
import { DRAWN_ID, readDrawn, SIGN_OUT_PENDING_COOKIE, sumOf } from '../../src/base/first.ts';
import { MINUTE } from '../../src/base/time.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Partner, registerCouple } from '../support/client.ts';
import { describeOnBoth } from '../support/engines.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../support/factories.ts';

const PHONE =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36';
const DESK = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

describeOnBoth('the page that somebody opens first', (engine) => {
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

  const open = (path: string, cookie: string, agent = PHONE) =>
    fetch(app.url + path, { headers: { cookie, 'user-agent': agent } });
  const plain = async () => (await fetch(`${app.url}/dashboard`)).text();

  it('comes with what its screen shows, in every screen', async () => {
    for (const [text, path] of Object.entries(paths)) {
      const answer = await open(path, us.cookie);
      const [drawn = ''] = (await answer.text()).split('<template');
      expect(drawn, path).toContain(text);
      expect(drawn).toContain('data-drawn');
      expect(drawn).toContain('<h1');
    }
  });

  it('is kept nowhere, tells no secret and has nothing inline', async () => {
    for (const path of Object.values(paths)) {
      const answer = await open(path, us.cookie);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'self';style-src 'self'/);
      const html = await answer.text();
      expect(html).not.toContain(us.token);
      expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\bsrc=)/);
      expect(html.match(new RegExp(`<template id="${DRAWN_ID}">`, 'g'))).toHaveLength(1);
    }
  });

  it('is drawn for phones alone', async () => {
    expect(await (await open('/dashboard', us.cookie, DESK)).text()).toBe(await plain());
  });

  it('is drawn for nobody but its user, while the session lives', async () => {
    const guest = await registerCouple(app);
    await guest.ben.call('POST /api/auth/logout');
    for (const cookie of ['', guest.ben.cookie, `${us.cookie}x`, `${us.cookie}; ${SIGN_OUT_PENDING_COOKIE}=1`]) {
      const answer = await open('/dashboard', cookie);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toBe(await plain());
    }
  });

  it('is drawn by its scripts where there is no such screen, or nothing of ours', async () => {
    const nothing = '/planned-dates/01890000-0000-7000-8000-000000000000';
    for (const path of ['/', '/no-such-screen', '/auth/login', nothing]) {
      expect(await (await open(path, us.cookie)).text()).toBe(await plain());
    }
    // What is another couple's is no more than what is not there.
    for (const path of Object.values(paths).filter((one) => /[0-9a-f]{8}-/.test(one))) {
      expect(await (await open(path, others.cookie)).text()).toBe(await plain());
    }
  });

  it('shows each their own, however many open theirs at the same moment', async () => {
    const both = [us, others, us, others, us, others, us, others];
    const pages = await Promise.all(both.map(async ({ cookie }) => (await open('/date-ideas', cookie)).text()));
    for (const [n, html] of pages.entries()) {
      expect(html.includes('Heads is left')).toBe(both[n] === us);
      expect(html.includes('Tails is right')).toBe(both[n] === others);
    }
  });

  it('is drawn with what the same calls answer once the page has renewed its token', async () => {
    for (const path of Object.values(paths)) {
      // Long enough that the session's last use is due to be updated.
      clock += 6 * MINUTE;
      const drawn = drawnIn(await (await open(path, us.cookie)).text());
      expect(drawn.calls.length, path).toBeGreaterThan(0);
      clock += 1000;
      expect(await us.renew()).toBe(true);
      const headers = { authorization: `Bearer ${us.token}` };
      for (const [call, sum] of drawn.calls) {
        const answer = await fetch(app.url + call, { headers });
        expect(sumOf(await answer.text()), `${call} of ${path}`).toBe(sum);
      }
    }
  });
});

/** What a page says that it was drawn with. */
function drawnIn(html: string) {
  const [, written = ''] = new RegExp(`<template id="${DRAWN_ID}">(.*?)</template>`, 's').exec(html) ?? [];
  return readDrawn(written.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
}
