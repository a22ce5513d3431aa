import { beforeAll, describe, expect, it } from 'vitest';
import { addIdea, addPhoto, completeDate, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

/** The widest part of a phone's screen that may come before a list, and the screen. */
const UPPER_PART = 0.45;
const HEIGHT = 740;

/** On a phone, photographs come first. */
describe('on a phone', () => {
  const us = useCouple();
  let done: string;
  beforeAll(async () => {
    for (const at of ['2026-04-20T14:00:00Z', '2026-05-20T14:00:00Z']) {
      const { id } = await completeDate(us.ada, {
        at,
        minutes: 60,
        notes: 'We stayed too long.',
        location: 'The jetty',
      });
      for (let n = 0; n < 3; n += 1) await addPhoto(us.ada, id, Number(at.slice(5, 7)) * 10 + n, `Caption ${n}`);
      done = id;
    }
    const idea = await addIdea(us.ada, { title: 'Idea' });
    await addIdea(us.ada, { title: 'Resting', isActive: false });
    await planDate(us.ada, { idea: idea.id });
    for (const who of [us.ada, us.ben]) await who.call('PUT /api/DateIdeas/{id}/heart', { params: { id: idea.id } });
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it.each([
      ['/date-ideas', 'main article'],
      ['/planned-dates', 'main article'],
      ['/memories', 'main li img'],
      ['/memories?view=list', 'main li img'],
      ['/search?q=caption', 'main figure'],
    ])(
      `%s begins in the upper part of the screen, ${colorScheme}`,
      { tags: ['screens.phone.1'] },
      async (path, first) => {
        const page = await us.open({ colorScheme, viewport: { width: 360, height: HEIGHT } });
        await page.goto(path);
        await page.locator(first).first().waitFor();
        await page.locator('main[aria-busy]').waitFor({ state: 'detached' });
        const top = () =>
          page
            .locator(first)
            .first()
            .evaluate((one) => one.getBoundingClientRect().top);
        await expect.poll(top).toBeLessThanOrEqual(UPPER_PART * HEIGHT);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
        await page.context().close();
      },
    );
  }

  it('the month picker covers no heading', { tags: ['screens.phone.2'] }, async () => {
    const page = await us.open({ viewport: { width: 360, height: HEIGHT } });
    await page.goto('/memories?sort=story-desc');
    const picker = page.getByLabel('Jump to month');
    await picker.waitFor();
    for (const heading of await page.getByRole('main').getByRole('heading', { level: 2 }).all()) {
      await heading.evaluate((one) => one.scrollIntoView({ block: 'start', behavior: 'instant' }));
      const [its, theirs] = [await heading.evaluate(rightOfText), (await picker.boundingBox())?.x ?? 0];
      expect(its).toBeLessThanOrEqual(theirs);
    }
    await page.context().close();
  });

  it('the details of a completed date begin with its photographs, then what was written, then the facts', {
    tags: ['dates.details.9'],
  }, async () => {
    const page = await us.open({ viewport: { width: 360, height: HEIGHT } });
    await page.goto(`/planned-dates/${done}`);
    const main = page.getByRole('main');
    await main.locator('img').first().waitFor();
    await main.getByRole('heading', { name: 'What I want to remember' }).waitFor();
    const top = async (name: string) => (await main.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? 0;
    const tops = [];
    for (const name of ['Memories', 'Special notes', 'What I want to remember', 'When and where'])
      tops.push(await top(name));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    await page.context().close();
  });
});

/** In the page: the right edge of a heading's text. */
function rightOfText(heading: Element): number {
  const range = document.createRange();
  range.selectNodeContents(heading);
  return range.getBoundingClientRect().right;
}
