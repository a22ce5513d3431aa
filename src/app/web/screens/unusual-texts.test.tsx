import { beforeAll, describe, expect, it } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { addIdea, completeDate, planDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { type Couple, registerUs, show, uploadPhoto } from '../../../../tests/support/screens.tsx';
import type { PlannedDate } from '../../../dates/contract.ts';
import type { DateIdea } from '../../../ideas/contract.ts';

/** Gives a partner another name. Returns the partner with it. */
async function rename(who: Partner, displayName: string): Promise<Partner> {
  const { status } = await who.call('PUT /api/auth/profile', { body: { displayName } });
  expect(status).toBe(200);
  const { body } = await who.call('GET /api/auth/session');
  return Object.assign(who.at({ url: who.url }), { user: body.user });
}

/** The text of an element with its line breaks. */
const linesOf = (text: Locator) => (text.element() as HTMLElement).innerText;

const main = page.getByRole('main');

describe('texts with line breaks, from right to left, or without a space', () => {
  let us: Couple;
  const title = 'ערב ב-Café Milano, בשעה 20:00!';
  const description = 'נלך ל-Cinema City (סרט ב-3D) ואז גלידה.';
  let idea: DateIdea;
  let date: PlannedDate;
  let coming: PlannedDate;
  beforeAll(async () => {
    us = await registerUs();
    idea = await addIdea(us.ada, { title, description });
    date = await completeDate(us.ada, {
      idea: idea.id,
      at: '2026-11-20T14:00:00Z',
      minutes: 60,
      notes: 'Bring the blanket\nand the good cheese',
    });
    await uploadPhoto(us.ada, date.id, 1, 'Before the rain\nand after it');
    await uploadPhoto(us.ada, date.id, 2);
    coming = await planDate(us.ada, { idea: idea.id, location: 'ליד ה-Duomo, בשער!', notes: title });
  });

  /** The notes of a date that is shown. */
  const notes = () => page.getByRole('region', { name: 'Special notes' }).getByRole('paragraph');

  it('keep their line breaks in the notes of a date, in the gallery and in the slideshow', {
    tags: ['screens.words.1'],
  }, async () => {
    await page.viewport(360, 780);
    await show(`/planned-dates/${date.id}`, us.ada);
    await expect.element(notes()).toBeVisible();
    expect(linesOf(notes())).toBe('Bring the blanket\nand the good cheese');
    await show('/memories', us.ada);
    const caption = main.getByText('Before the rain');
    await expect.element(caption).toBeVisible();
    expect(linesOf(caption)).toBe('Before the rain\nand after it');
    await main.getByRole('button', { name: 'List' }).click();
    await expect.element(main.getByText(/bytes|KB/).first()).toBeVisible();
    expect(linesOf(caption)).toBe('Before the rain\nand after it');
    await main.getByRole('button', { name: /^View: Before the rain/ }).click();
    const shown = page.getByRole('dialog', { name: 'Slideshow' }).getByRole('paragraph').getByText('Before the rain');
    await expect.element(shown).toBeVisible();
    expect(linesOf(shown)).toBe('Before the rain\nand after it');
  });

  it('are laid out from right to left if they begin so, in fields and wherever they are shown', {
    tags: ['screens.words.2'],
  }, async () => {
    await page.viewport(768, 800);
    const direction = (label: string) => () => getComputedStyle(page.getByLabelText(label).element()).direction;
    await show('/date-ideas', us.ada);
    const card = main.getByRole('article').filter({ hasText: title });
    await expect.poll(() => isFromRight(card.getByRole('heading'))).toBe(true);
    expect(isFromRight(card.getByText(description))).toBe(true);
    await page.getByRole('searchbox').fill('ערב');
    expect(direction('Search')()).toBe('rtl');
    await show(`/date-ideas/${idea.id}/edit`, us.ada);
    await expect.poll(direction('Title')).toBe('rtl');
    expect(direction('Description')()).toBe('rtl');
    await page.getByLabelText('Title').fill('At home');
    expect(direction('Title')()).toBe('ltr');
    await show(`/planned-dates/${coming.id}/edit`, us.ada);
    await expect.poll(direction('Location')).toBe('rtl');
    expect(direction('Notes')()).toBe('rtl');
    await show(`/planned-dates/${coming.id}`, us.ada);
    await expect.poll(() => isFromRight(page.getByRole('heading', { level: 1 }))).toBe(true);
    expect(isFromRight(page.getByRole('definition').filter({ hasText: 'Duomo' }))).toBe(true);
    expect(isFromRight(notes())).toBe(true);
    // It begins at the right edge too, as a letter in this script does.
    const range = document.createRange();
    range.selectNodeContents(notes().element());
    const edge = notes().element().getBoundingClientRect().right;
    expect(Math.abs(edge - range.getBoundingClientRect().right)).toBeLessThan(2);
    await show('/planned-dates', us.ada);
    const ticket = main.getByRole('article').filter({ hasText: 'Duomo' });
    await expect.poll(() => isFromRight(ticket.getByRole('heading'))).toBe(true);
    expect(isFromRight(ticket.getByRole('listitem').filter({ hasText: 'Duomo' }))).toBe(true);
  });

  it('make no screen scroll sideways if they are long names without a space, and break no word of ours', {
    tags: ['screens.words.3'],
  }, async () => {
    const named = await rename(us.ada, 'W'.repeat(60));
    await rename(us.ben, 'W'.repeat(60));
    const screens = [
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
      '/stats/2026',
      '/settings',
    ];
    const found: string[] = [];
    for (const path of screens) {
      await show(path, named);
      await expect.poll(() => document.querySelector('main:not([aria-busy]) h1')).not.toBeNull();
      const loading = main.getByRole('status').filter({ hasText: 'Loading' });
      await expect.poll(() => loading.elements()).toEqual([]);
      for (const width of [360, 1280]) {
        await page.viewport(width, 800);
        const excess = document.documentElement.scrollWidth - innerWidth;
        if (excess > 0) found.push(`${path} at ${width}: ${excess}`);
      }
    }
    expect(found).toEqual([]);
    await page.viewport(320, 800);
    await show('/stats', named);
    const words = main.getByText('precious memories');
    await expect.element(words).toBeVisible();
    const element = words.element();
    const range = document.createRange();
    const lines = [...(element.textContent ?? '').matchAll(/\w+/g)].map(({ 0: word, index }) => {
      range.setStart(element.firstChild as Node, index);
      range.setEnd(element.firstChild as Node, index + word.length);
      return range.getClientRects().length;
    });
    expect(lines).toEqual([1, 1]);
  });
});

describe('names from right to left', () => {
  it('leave the order of the words beside them', { tags: ['screens.words.2'] }, async () => {
    await page.viewport(1280, 800);
    const { ada, ben } = await registerUs();
    await rename(ben, 'יוסי');
    const dana = await rename(ada, 'דנה');
    const date = await completeDate(ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    const { id } = await uploadPhoto(ada, date.id, 1);
    await ada.call('DELETE /api/Memories/{id}', { params: { id } });
    await show('/settings', dana);
    const entry = page.getByText('A memory, deleted by דנה');
    await expect.element(entry).toBeVisible();
    // 'deleted by 2 דנה seconds ago' without it.
    expect(leftOf(entry, /דנה/)).toBeLessThan(leftOf(entry, /\d+ \w+ ago/));
    await show('/stats/2026', dana);
    const names = page.getByText('דנה & יוסי').first();
    await expect.element(names).toBeVisible();
    expect(leftOf(names, /דנה/)).toBeLessThan(leftOf(names, /יוסי/));
  });
});

/** Whether the first letter of a text is at the right of its last one. */
function isFromRight(text: Locator): boolean {
  const node = document.createTreeWalker(text.element(), NodeFilter.SHOW_TEXT).nextNode() as Text;
  const edge = (at: number) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect().left;
  };
  return edge(0) > edge(node.length - 1);
}

/** Where the first words that match are in the window, in pixels from the left. */
function leftOf(text: Locator, wanted: RegExp): number {
  const walker = document.createTreeWalker(text.element(), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const match = wanted.exec(node.nodeValue ?? '');
    if (!match) continue;
    range.setStart(node, match.index);
    range.setEnd(node, match.index + match[0].length);
    return range.getBoundingClientRect().left;
  }
  throw new Error(`There is no ${wanted}.`);
}
