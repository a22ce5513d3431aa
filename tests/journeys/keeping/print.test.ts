import { beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP } from '../../support/browser.ts';
import { addPhoto, completeDate, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

/** The album on paper. */
describe('the album on paper', () => {
  const us = useCouple();
  let done: string;
  let planned: string;
  beforeAll(async () => {
    const idea = { title: 'The long walk' };
    ({ id: done } = await completeDate(us.ada, { idea, at: '2025-05-20T14:00:00Z', minutes: 90, notes: 'Muddy.' }));
    for (let n = 1; n < 5; n += 1) await addPhoto(us.ada, done, n, `Step ${n}`);
    await completeDate(us.ada, { idea: { title: 'The short walk' }, at: '2024-05-20T14:00:00Z', minutes: 30 });
    ({ id: planned } = await planDate(us.ada, { idea: { title: 'Not yet' } }));
  });

  it('has a cover and every completed date, earliest first, and prints no control', {
    tags: ['keeping.print.1'],
  }, async () => {
    const page = await us.open(DESKTOP);
    await page.goto('/print');
    await page.getByRole('button', { name: 'Print or Save as PDF' }).waitFor();
    expect(await page.getByRole('article').getByRole('heading').allInnerTexts()).toEqual([
      'The short walk',
      'The long walk',
    ]);
    await page.getByText('Ada & Ben').waitFor();
    await page.getByText('2024 – 2025').waitFor();
    expect(await page.locator('article img').count()).toBe(4);
    await page.emulateMedia({ media: 'print' });
    for (const control of await page.getByRole('button').all()) expect(await control.isVisible()).toBe(false);
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(1000);
    await page.context().close();
  });

  it('is of one date or one year, and says why there is nothing to print', { tags: ['keeping.print.2'] }, async () => {
    const page = await us.open(DESKTOP);
    for (const [query, titles] of [
      [`dateId=${done}`, ['The long walk']],
      ['year=2024', ['The short walk']],
    ] as const) {
      await page.goto(`/print?${query}`);
      await page.getByRole('article').first().waitFor();
      expect(await page.getByRole('article').getByRole('heading').allInnerTexts()).toEqual(titles);
    }
    await page.goto('/print?dateId=unknown');
    await page.getByText('Date not found.').waitFor();
    await page.goto(`/print?dateId=${planned}`);
    await page.getByText('Only a completed date can be printed.').waitFor();
    await page.context().close();
  });
});
