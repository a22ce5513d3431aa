import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { addIdea, completeDate, planDate } from '../../../../tests/support/factories.ts';
import { isUncovered } from '../../../../tests/support/is-uncovered.ts';
import {
  addPhoto,
  address,
  type Couple,
  makePhoto,
  press,
  registerUs,
  show,
} from '../../../../tests/support/screens.tsx';

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
      for (let n = 0; n < 3; n += 1) await addPhoto(us.ada, id, Number(at.slice(5, 7)) * 10 + n, `Caption ${n}`);
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

/** The floating button on a phone covers no control. */
describe('the floating button', () => {
  let us: Couple;
  beforeAll(async () => {
    us = await registerUs();
    const { id } = await completeDate(us.ada, { at: '2026-05-20T14:00:00Z', minutes: 60 });
    for (let n = 0; n < 12; n += 1) {
      const idea = await addIdea(us.ada, { title: `Idea ${n}`, description: n % 2 ? 'By the sea, early.' : '' });
      await planDate(us.ada, { idea: idea.id, location: n % 3 ? 'The old jetty' : '' });
      await addPhoto(us.ada, id, n + 1, n % 3 ? `Caption ${n}` : undefined);
    }
  });

  it.each([
    { path: '/date-ideas', role: 'button', button: 'Add New Idea', last: 'Delete' },
    { path: '/planned-dates', role: 'link', button: 'Plan New Date', last: 'View Details' },
    { path: '/memories', role: 'button', button: 'Upload Memory', last: 'Delete' },
    { path: '/memories?view=list', role: 'button', button: 'Upload Memory', last: 'Delete' },
  ] as const)(
    'covers no control on $path, at any scroll position',
    { tags: ['ideas.list.8'] },
    async ({ path, role, button, last }) => {
      await show(path, us.ada);
      await expect.element(page.getByRole('main').getByRole(role, { name: last }).first()).toBeVisible();
      const float = page.getByRole('link', { name: button }).last();
      await expect.element(float).toBeVisible();
      expect(await coveredAnywhere(float.element())).toEqual([]);
      // The button itself can still be pressed.
      await expect.poll(() => isUncovered(float.element())).toBe(true);
      await press(float, 'Enter');
      await expect.poll(address).not.toBe(path);
    },
  );

  it("doesn't share the upload bar's place: the bar covers no caption that is being typed", {
    tags: ['ideas.list.8'],
  }, async () => {
    await show('/memories/upload', us.ada);
    const photos = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => makePhoto(`${seed}.jpg`, { seed })));
    await userEvent.upload(page.getByLabelText('Choose photos'), photos);
    await expect.element(page.getByText('6 photos selected')).toBeVisible();
    // With its longest label.
    await expect.element(page.getByText('To save them,')).toBeVisible();
    const controls = page.getByRole('listitem').getByRole('textbox', { name: 'Caption' });
    const remove = page.getByRole('listitem').getByRole('button', { name: /^Remove / });
    expect(controls.elements()).toHaveLength(6);
    for (const control of [...controls.elements(), ...remove.elements()]) {
      (control as HTMLElement).focus();
      await expect.poll(() => isUncovered(control)).toBe(true);
    }
    await page.getByRole('button', { name: 'Remove All' }).click();
  });
});

/**
 * Scrolls down in steps, and focuses each control, which scrolls as little as possible. The button lies on an
 * opaque strip, which ends the visible page, so it covers nothing if it stays there. Returns what is wrong.
 */
async function coveredAnywhere(floating: Element): Promise<string[]> {
  const strip = floating.parentElement as HTMLElement;
  const place = floating.getBoundingClientRect();
  const around = strip.getBoundingClientRect();
  const found: string[] = [];
  const isAround = around.left <= 0 && around.right >= innerWidth && around.bottom >= innerHeight;
  if (!isAround || around.top > place.top || around.bottom < place.bottom) found.push('it is not on its strip');
  for (let y = 0; y < document.documentElement.scrollHeight; y += 90) {
    scrollTo({ top: y, behavior: 'instant' });
    await new Promise((done) => requestAnimationFrame(done));
    if (floating.getBoundingClientRect().top !== place.top) found.push(`it has moved at ${y}`);
    for (let x = 8; x < innerWidth; x += 8) {
      const under = document.elementFromPoint(x, around.top + 4);
      if (!strip.contains(under)) found.push(`something shows through its strip at ${x}, ${y}`);
    }
  }
  for (const control of document.querySelectorAll<HTMLElement>('main :is(a[href], button, input, select, textarea)')) {
    if (strip.contains(control)) continue;
    control.focus();
    await new Promise((done) => requestAnimationFrame(done));
    if (control.getBoundingClientRect().bottom > around.top + 1) found.push(`focused under it: ${control.textContent}`);
  }
  return found;
}
