import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { completeDate, startDate } from '../../../tests/support/factories.ts';
import { findIssuesAtEverySize } from '../../../tests/support/screen-issues.ts';
import { type Couple, registerUs, show } from '../../../tests/support/screens.tsx';

/** Links that lead where they say, and what must not become one. */
const TEXT =
  'javascript:alert(1) data:text/html,x https://bank.example@evil.example/ https://\u0430pple.com/a ' +
  'https://example.org/\u202egpj.exe (https://example.org/menu).';
const HREFS = ['https://xn--pple-43d.com/a', 'https://example.org/', 'https://example.org/menu'];

/** The addresses of the links to other hosts that an element has. Each must open outside of the app. */
function linksIn(one: Locator): (string | null)[] {
  const links = [...one.element().querySelectorAll<HTMLAnchorElement>('a[href]:not([href^="/"], [href^="geo:"])')];
  const outside = links.filter(({ hostname }) => ![location.hostname, 'www.google.com'].includes(hostname));
  for (const link of outside) expect([link.target, link.rel]).toEqual(['_blank', 'noopener']);
  return outside.map((link) => link.getAttribute('href'));
}

const main = page.getByRole('main');
let us: Couple;
let running: string;
let done: string;
beforeEach(() => page.viewport(1280, 800));
beforeAll(async () => {
  us = await registerUs();
  const parts = { location: `The weir ${TEXT}`, notes: TEXT, idea: { title: 'Weir', description: TEXT } };
  ({ id: running } = await startDate(us.ada, { ...parts, at: Date.now() - 3_600_000 }));
  ({ id: done } = await completeDate(us.ada, { ...parts, at: '2024-05-20T14:00:00Z', minutes: 60 }));
});

it.each([
  ['an idea card', () => '/date-ideas?all=true', 'Weir', [...HREFS, ...HREFS]],
  ['the details of a date', () => `/planned-dates/${done}`, 'Special notes', [...HREFS, ...HREFS, ...HREFS]],
  ['the cards of two dates', () => '/planned-dates', 'Weir', [...HREFS, ...HREFS, ...HREFS, ...HREFS]],
  ['date mode', () => `/planned-dates/${running}/now`, 'Weir', HREFS],
  ['the date that is completed', () => `/planned-dates/${running}/complete`, 'Weir', HREFS],
  ['a year', () => '/stats/2024', 'Weir', HREFS],
])('web addresses are links in %s', { tags: ['screens.links.1', 'screens.links.2'] }, async (_, path, text, hrefs) => {
  await show(path(), us.ada);
  await expect.element(main.getByText(text).first()).toBeInTheDocument();
  await expect.poll(() => linksIn(main)).toEqual(hrefs);
});

it('web addresses are links in the version of the partner after a stale edit', {
  tags: ['screens.links.1', 'screens.links.2'],
}, async () => {
  await show(`/planned-dates/${running}/edit`, us.ada);
  await page.getByLabelText('Notes').fill('Mine');
  const { body: date } = await us.ben.call('GET /api/PlannedDates/{id}', { params: { id: running } });
  const { plannedDateTime, location } = date;
  const body = { plannedDateTime, location, notes: `Theirs ${TEXT}` };
  await us.ben.call('PUT /api/PlannedDates/{id}', { params: { id: running }, body });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const theirs = page.getByRole('region', { name: 'Their version' });
  await expect.element(theirs).toBeVisible();
  await expect.poll(() => linksIn(theirs)).toEqual([...HREFS, ...HREFS]);
  expect(await findIssuesAtEverySize('links')).toEqual([]);
});
