import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { addIdea, completeDate, planDate } from '../../../../tests/support/factories.ts';
import { isUncovered } from '../../../../tests/support/is-uncovered.ts';
import {
  address,
  type Couple,
  makePhoto,
  press,
  registerUs,
  show,
  uploadPhoto,
} from '../../../../tests/support/screens.tsx';

beforeEach(() => page.viewport(360, 740));

/** The floating button on a phone covers no control. */
describe('the floating button', () => {
  let us: Couple;
  beforeAll(async () => {
    us = await registerUs();
    const { id } = await completeDate(us.ada, { at: '2026-05-20T14:00:00Z', minutes: 60 });
    for (let n = 0; n < 12; n += 1) {
      const idea = await addIdea(us.ada, { title: `Idea ${n}`, description: n % 2 ? 'By the sea, early.' : '' });
      await planDate(us.ada, { idea: idea.id, location: n % 3 ? 'The old jetty' : '' });
      await uploadPhoto(us.ada, id, n + 1, n % 3 ? `Caption ${n}` : undefined);
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
