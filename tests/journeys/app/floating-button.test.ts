import { beforeAll, describe, expect, it } from 'vitest';
import { addIdea, addPhoto, completeDate, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';
import { choose, photo } from '../upload-page.ts';

const MANY = 12;

/** The floating button on a phone covers no control. */
describe('the floating button', () => {
  const us = useCouple();
  beforeAll(async () => {
    const { id } = await completeDate(us.ada, { at: '2026-05-20T14:00:00Z', minutes: 60 });
    for (let n = 0; n < MANY; n += 1) {
      const idea = await addIdea(us.ada, { title: `Idea ${n}`, description: n % 2 ? 'By the sea, early.' : '' });
      await planDate(us.ada, { idea: idea.id, location: n % 3 ? 'The old jetty' : '' });
      await addPhoto(us.ada, id, n + 1, n % 3 ? `Caption ${n}` : undefined);
    }
  });

  const screens = [
    { path: '/date-ideas', role: 'button' as const, button: 'Add New Idea', last: 'Delete' },
    { path: '/planned-dates', role: 'link' as const, button: 'Plan New Date', last: 'View Details' },
    { path: '/memories', role: 'button' as const, button: 'Upload Memory', last: 'Delete' },
    { path: '/memories?view=list', role: 'button' as const, button: 'Upload Memory', last: 'Delete' },
  ];
  for (const { path, role, button, last } of screens) {
    it(`covers no control on ${path}, at any scroll position`, { tags: ['ideas.list.8'] }, async () => {
      const page = await us.open({ viewport: { width: 360, height: 740 } });
      await page.goto(path);
      await page.getByRole('main').getByRole(role, { name: last }).first().waitFor();
      const float = page.getByRole('link', { name: button }).last();
      await float.waitFor();
      expect(await float.evaluate(coveredAnywhere)).toEqual([]);
      // The button itself can still be pressed.
      await expect.poll(() => float.evaluate(isUncovered)).toBe(true);
      await float.press('Enter');
      await page.waitForURL((url) => url.pathname + url.search !== path);
    });
  }

  it("doesn't share the upload bar's place: the bar covers no caption that is being typed", {
    tags: ['ideas.list.8'],
  }, async () => {
    const page = await us.open({ viewport: { width: 360, height: 740 } });
    await page.goto('/memories/upload');
    await choose(page, await Promise.all([1, 2, 3, 4, 5, 6].map((n) => photo(`${n}.jpg`, n))));
    await page.getByText('6 photos selected').waitFor();
    // With its longest label.
    await page.getByText('To save them,').waitFor();
    const controls = page.getByRole('listitem').getByRole('textbox', { name: 'Caption' });
    const remove = page.getByRole('listitem').getByRole('button', { name: /^Remove / });
    for (const one of [...(await controls.all()), ...(await remove.all())]) {
      await one.focus();
      await expect.poll(() => one.evaluate(isUncovered)).toBe(true);
    }
  });
});

/** Whether a click on the element's center would hit the element. */
function isUncovered(control: Element): boolean {
  const { left, right, top, bottom } = control.getBoundingClientRect();
  return control.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}

/**
 * In the page: scrolls down in steps, and focuses each control, which scrolls as little as possible. The button lies on an
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
