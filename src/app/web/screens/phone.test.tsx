import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea, completeDate, planDate } from '../../../../tests/support/factories.ts';
import { type Couple, registerUs, show, uploadPhoto } from '../../../../tests/support/screens.tsx';

/** The widest part of a phone's screen that may come before a list, and the screen. */
const UPPER_PART = 0.45;
const HEIGHT = 740;

beforeEach(() => page.viewport(360, HEIGHT));

/** Waits until a screen is loaded. */
function untilLoaded(): Promise<void> {
  return expect.poll(() => document.querySelector('main:not([aria-busy]) h1')).not.toBeNull();
}

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

/** On a phone, photographs come first. */
describe('on a phone', () => {
  let us: Couple;
  let done: string;
  beforeAll(async () => {
    us = await registerUs();
    for (const at of ['2026-04-20T14:00:00Z', '2026-05-20T14:00:00Z']) {
      const parts = { notes: 'We stayed too long.', location: 'The jetty' };
      const { id } = await completeDate(us.ada, { at, minutes: 60, ...parts });
      for (let n = 0; n < 3; n += 1) await uploadPhoto(us.ada, id, Number(at.slice(5, 7)) * 10 + n, `Caption ${n}`);
      done = id;
    }
    const idea = await addIdea(us.ada, { title: 'Idea' });
    await addIdea(us.ada, { title: 'Resting', isActive: false });
    await planDate(us.ada, { idea: idea.id });
    for (const who of [us.ada, us.ben]) await who.call('PUT /api/DateIdeas/{id}/heart', { params: { id: idea.id } });
  });

  it.each([
    { path: '/date-ideas', first: 'main article' },
    { path: '/planned-dates', first: 'main article' },
    { path: '/planned-dates?filter=upcoming', first: 'main article' },
    { path: '/planned-dates?filter=completed', first: 'main article' },
    { path: '/memories?sort=story-desc', first: 'main li img' },
    { path: '/memories', first: 'main li img' },
    { path: '/memories?view=list', first: 'main li img' },
    { path: '/search?q=caption', first: 'main figure' },
  ])('$path begins in the upper part of the screen', { tags: ['screens.phone.1'] }, async ({ path, first }) => {
    await show(path, us.ada);
    await untilLoaded();
    for (const width of [360, 390, 430]) {
      await page.viewport(width, HEIGHT);
      await expect
        .poll(() => find(first)?.getBoundingClientRect().top ?? HEIGHT)
        .toBeLessThanOrEqual(UPPER_PART * HEIGHT);
      expect(document.documentElement.scrollWidth).toBe(width);
    }
  });

  it('the month picker covers no heading', { tags: ['screens.phone.2'] }, async () => {
    await show('/memories?sort=story-desc', us.ada);
    const picker = page.getByLabelText('Jump to month');
    await expect.element(picker).toBeVisible();
    for (const heading of document.querySelectorAll('main h2')) {
      heading.scrollIntoView({ block: 'start', behavior: 'instant' });
      const range = document.createRange();
      range.selectNodeContents(heading);
      expect(range.getBoundingClientRect().right).toBeLessThanOrEqual(picker.element().getBoundingClientRect().left);
    }
  });

  it('the details of a completed date begin with its photographs, then what was written, then the facts', {
    tags: ['dates.details.9'],
  }, async () => {
    await show(`/planned-dates/${done}`, us.ada);
    const main = page.getByRole('main');
    const heading = (name: string) => main.getByRole('heading', { name, exact: true });
    await expect.poll(() => find('main img')).not.toBeNull();
    const tops: (() => number)[] = [];
    for (const name of ['Memories', 'Special notes', 'What I want to remember', 'When and where']) {
      await expect.element(heading(name)).toBeVisible();
      tops.push(() => heading(name).element().getBoundingClientRect().top);
    }
    await expect.poll(() => tops.every((top, n) => n === 0 || top() >= (tops[n - 1]?.() ?? 0))).toBe(true);
  });
});
