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
 * In the page: scrolls down in steps, and focuses each control, which scrolls as little as possible. Returns the names of
 * the controls whose center the floating button still covers a second later.
 */
async function coveredAnywhere(floating: Element): Promise<string[]> {
  const controls = () => [
    ...document.querySelectorAll<HTMLElement>('main :is(a[href], button, input, select, textarea)'),
  ];
  const covered = () =>
    controls().filter((control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      const under = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return control !== floating && under !== null && floating.contains(under);
    });
  const found: string[] = [];
  const place = floating.getBoundingClientRect();
  // It lies on an opaque strip, which ends the visible page: no word shows beside it.
  const strip = (floating.parentElement as HTMLElement).getBoundingClientRect();
  if (strip.left > 0 || strip.top > place.top || strip.bottom < innerHeight) found.push('not on its strip');
  const look = async (where: string) => {
    if (floating.getBoundingClientRect().top !== place.top) found.push(`${where}: it has moved`);
    for (let frames = 0; frames < 60; frames += 1) {
      await new Promise((done) => requestAnimationFrame(done));
      if (frames > 0 && covered().length === 0) return;
    }
    found.push(...covered().map((control) => `${where}: ${control.getAttribute('aria-label') ?? control.textContent}`));
  };
  for (let y = 0; y < document.documentElement.scrollHeight; y += 90) {
    scrollTo({ top: y, behavior: 'instant' });
    await look(`at ${y}`);
  }
  for (const control of controls()) {
    control.focus();
    await look('with the focus');
  }
  return found;
}
