import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PlannedDate } from '../../../src/dates/contract.ts';
import type { DateIdea } from '../../../src/ideas/contract.ts';
import { PHONE } from '../../support/browser.ts';
import { addIdea, addPhoto, completeDate, planDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

/** How much wider than the window each of these screens is, in pixels, as 'path: 12'. Empty if all of them fit. */
async function tooWide(page: Page, screens: readonly string[], sizes: readonly number[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of screens) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const loading = page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' });
    await expect.poll(() => loading.count()).toBe(0);
    for (const width of sizes) {
      await page.setViewportSize({ width, height: 800 });
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (excess > 0) found.push(`${path} at ${width}: ${excess}`);
    }
  }
  return found;
}

const screensOf = (idea: DateIdea, date: PlannedDate, coming: PlannedDate) => [
  '/dashboard',
  '/date-ideas',
  '/date-ideas/add',
  `/date-ideas/${idea.id}/edit`,
  `/date-ideas/${idea.id}/plan`,
  '/planned-dates',
  `/planned-dates/${date.id}`,
  `/planned-dates/${coming.id}`,
  `/planned-dates/${coming.id}/edit`,
  '/memories',
  '/memories/upload',
  '/stats',
  `/stats/${date.plannedDateTime.slice(0, 4)}`,
  '/settings',
];

describe('words of any kind', () => {
  const us = useCouple();
  const title = 'ערב ב-Café Milano, בשעה 20:00!';
  const description = 'נלך ל-Cinema City (סרט ב-3D) ואז גלידה.';
  let idea: DateIdea;
  let date: PlannedDate;
  let coming: PlannedDate;
  beforeAll(async () => {
    idea = await addIdea(us.ada, { title, description });
    date = await completeDate(us.ada, {
      idea: idea.id,
      at: '2026-11-20T14:00:00Z',
      minutes: 60,
      notes: 'Bring the blanket\nand the good cheese',
    });
    await addPhoto(us.ada, date.id, 1, 'Before the rain\nand after it');
    await addPhoto(us.ada, date.id, 2);
    coming = await planDate(us.ada, { idea: idea.id, location: 'ליד ה-Duomo, בשער!', notes: title });
  });

  it('keep their line breaks in the notes of a date, in the gallery and in the slideshow', {
    tags: ['screens.words.1'],
  }, async () => {
    const page = await us.open(PHONE);
    await page.goto(`/planned-dates/${date.id}`);
    const notes = page.getByRole('region', { name: 'Special notes' }).locator('p');
    await notes.waitFor();
    expect(await notes.innerText()).toBe('Bring the blanket\nand the good cheese');
    await page.goto('/memories');
    const main = page.getByRole('main');
    const caption = main.getByText('Before the rain');
    await caption.waitFor();
    expect(await caption.innerText()).toBe('Before the rain\nand after it');
    await main.getByRole('button', { name: 'List' }).click();
    await main
      .getByText(/bytes|KB/)
      .first()
      .waitFor();
    expect(await caption.innerText()).toBe('Before the rain\nand after it');
    await main.getByRole('button', { name: /^View: Before the rain/ }).click();
    const shown = page.getByRole('dialog', { name: 'Slideshow' }).locator('p').getByText('Before the rain');
    await expect.poll(() => shown.innerText()).toBe('Before the rain\nand after it');
  });

  /** Whether the first letter of a text is at the right of its last one. */
  const isFromRight = (text: Locator) =>
    text.evaluate((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const node = walker.nextNode() as Text;
      const leftOf = (at: number) => {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        return range.getBoundingClientRect().left;
      };
      return leftOf(0) > leftOf(node.length - 1);
    });

  it('are laid out from right to left if they begin so, in fields and wherever they are shown', {
    tags: ['screens.words.2'],
  }, async () => {
    const page = await us.open({ viewport: { width: 768, height: 800 } });
    const main = page.getByRole('main');
    const direction = (label: string) => page.getByLabel(label).evaluate((field) => getComputedStyle(field).direction);
    await page.goto('/date-ideas');
    const card = main.getByRole('article').filter({ hasText: title });
    expect(await isFromRight(card.getByRole('heading'))).toBe(true);
    expect(await isFromRight(card.getByText(description))).toBe(true);
    await page.getByRole('searchbox').fill('ערב');
    expect(await direction('Search')).toBe('rtl');
    await page.goto(`/date-ideas/${idea.id}/edit`);
    await expect.poll(() => direction('Title')).toBe('rtl');
    expect(await direction('Description')).toBe('rtl');
    await page.getByLabel('Title').fill('At home');
    expect(await direction('Title')).toBe('ltr');
    await page.goto(`/planned-dates/${coming.id}/edit`);
    await expect.poll(() => direction('Location')).toBe('rtl');
    expect(await direction('Notes')).toBe('rtl');
    await page.goto(`/planned-dates/${coming.id}`);
    expect(await isFromRight(page.getByRole('heading', { level: 1 }))).toBe(true);
    expect(await isFromRight(page.getByRole('definition').filter({ hasText: 'Duomo' }))).toBe(true);
    const notes = page.getByRole('region', { name: 'Special notes' }).locator('p');
    expect(await isFromRight(notes)).toBe(true);
    // It begins at the right edge too, as a letter in this script does.
    const [box, words] = await notes.evaluate((p) => {
      const range = document.createRange();
      range.selectNodeContents(p);
      return [p.getBoundingClientRect().right, range.getBoundingClientRect().right];
    });
    expect(Math.abs((box ?? 0) - (words ?? 0))).toBeLessThan(2);
    await page.goto('/planned-dates');
    const ticket = main.getByRole('article').filter({ hasText: 'Duomo' });
    expect(await isFromRight(ticket.getByRole('heading'))).toBe(true);
    expect(await isFromRight(ticket.getByRole('listitem').filter({ hasText: 'Duomo' }))).toBe(true);
  });

  it('make no screen scroll sideways if they are long names without a space, and break no word of ours', {
    tags: ['screens.words.3'],
  }, async () => {
    for (const who of [us.ada, us.ben])
      await who.call('PUT /api/auth/profile', { body: { displayName: 'W'.repeat(60) } });
    const page = await us.open();
    expect(await tooWide(page, screensOf(idea, date, coming), [360, 1280])).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto('/stats');
    const words = page.getByRole('main').getByText('precious memories');
    await words.waitFor();
    const lines = await words.evaluate((element) => {
      const range = document.createRange();
      return [...(element.textContent ?? '').matchAll(/\w+/g)].map(({ 0: word, index }) => {
        range.setStart(element.firstChild as Node, index);
        range.setEnd(element.firstChild as Node, index + word.length);
        return range.getClientRects().length;
      });
    });
    expect(lines).toEqual([1, 1]);
  });
});

describe('names from right to left', () => {
  const us = useCouple();

  /** Where the first words that match are in the window, in pixels from the left. */
  const leftOf = (element: Locator, words: RegExp) =>
    element.evaluate((root, wanted) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const match = wanted.exec(node.nodeValue ?? '');
        if (!match) continue;
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        return range.getBoundingClientRect().left;
      }
      throw new Error(`There is no ${wanted}.`);
    }, words);

  it('leave the order of the words beside them', { tags: ['screens.words.2'] }, async () => {
    const { ada, ben } = us;
    await ada.call('PUT /api/auth/profile', { body: { displayName: 'דנה' } });
    await ben.call('PUT /api/auth/profile', { body: { displayName: 'יוסי' } });
    const date = await completeDate(ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    const { id } = await addPhoto(ada, date.id, 1);
    await ada.call('DELETE /api/Memories/{id}', { params: { id } });
    const page = await us.open();
    await page.goto('/settings');
    const entry = page.getByText('A memory, deleted by דנה');
    await entry.waitFor();
    // 'deleted by 2 דנה seconds ago' without it.
    expect(await leftOf(entry, /דנה/)).toBeLessThan(await leftOf(entry, /\d+ \w+ ago/));
    const year = (await ada.call('GET /api/Stats/years')).body[0]?.year ?? 0;
    await page.goto(`/stats/${year}`);
    const names = page.getByText('דנה & יוסי').first();
    await names.waitFor();
    expect(await leftOf(names, /דנה/)).toBeLessThan(await leftOf(names, /יוסי/));
  });
});

describe('text of twice the size (WCAG 1.4.4, 1.4.10)', () => {
  const us = useCouple({ args: ['--blink-settings=defaultFontSize=32'] });

  it('makes no screen scroll sideways on a phone', { tags: ['screens.words.4'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Flower market, then soup', category: 'Food' });
    const date = await completeDate(us.ada, { idea: idea.id, at: '2026-11-20T14:00:00Z', minutes: 2_125 });
    for (const seed of [1, 2, 3, 4]) await addPhoto(us.ada, date.id, seed, 'It smelled of April all the way');
    const coming = await planDate(us.ada, { idea: idea.id, location: 'Piazza Sant’Agostino', notes: 'Dress warmly' });
    for (const who of [us.ada, us.ben]) await who.call('PUT /api/DateIdeas/{id}/heart', { params: { id: idea.id } });
    const page = await us.open(PHONE);
    const running = await startDate(us.ada, { idea: idea.id, location: 'Piazza Sant’Agostino' });
    const ofRunning = ['now', 'complete'].map((page) => `/planned-dates/${running.id}/${page}`);
    const screens = [...screensOf(idea, date, coming), ...ofRunning];
    expect(await tooWide(page, screens, [360, 412])).toEqual([]);
    await page.goto('/planned-dates');
    const ticket = page.getByRole('article').filter({ hasText: 'Dress warmly' });
    // The stub lies on top, so that the words have the width of the page.
    const share = await ticket.evaluate((paper) => {
      const heading = paper.querySelector('h3, h2') as Element;
      return heading.getBoundingClientRect().width / paper.getBoundingClientRect().width;
    });
    expect(share).toBeGreaterThan(0.7);
  });
});
