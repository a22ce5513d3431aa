import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { completeDate } from '../../support/factories.ts';
import { makeJpeg } from '../../support/images.ts';
import { useCouple } from '../../support/use-app.ts';
import { DESKTOP } from '../../support/use-chromium.ts';

const LONG = 'We stood there until the lamps went out, one after the other, and nobody said a word. '.repeat(5).trim();
const CAPTIONS = ['The weir', LONG, 'שלום, היה יפה!', 'w'.repeat(300), 'First.\nSecond.'];
const SHAPES = [
  [60, 40],
  [40, 60],
  [60, 45],
  [50, 50],
  [240, 40],
  [30, 120],
] as const;

/** The album on paper, as Chromium prints it. */
describe('the album on paper', () => {
  const us = useCouple();
  let id: string;
  beforeAll(async () => {
    const title = 'The long walk';
    const notes = `Muddy. The map: https://maps.example.org/walk\n${LONG}`;
    ({ id } = await completeDate(us.ada, { idea: { title }, at: '2025-05-20T14:00:00Z', minutes: 90, notes }));
    for (let n = 0; n < 60; n += 1) {
      const [width, height] = SHAPES[(n * n) % SHAPES.length] ?? [60, 40];
      const form = new FormData();
      form.set('PlannedDateId', id);
      if (n % 3 === 0) form.set('Caption', CAPTIONS[(n / 3) % CAPTIONS.length] ?? '');
      const jpeg = await makeJpeg({ width, height, seed: n });
      form.set('ImageFile', new Blob([Uint8Array.from(jpeg)], { type: 'image/jpeg' }), `photo-${n}.jpg`);
      const { status } = await us.ada.call('POST /api/Memories', { body: form });
      if (status !== 201) throw new Error(`A photograph was refused with ${status}`);
    }
    for (const [who, text] of [[us.ada, `${LONG}\n`.repeat(4)] as const, [us.ben, 'The mud.'] as const]) {
      await who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id }, body: { text, hearts: 5 } });
    }
    for (let n = 0; n < 7; n += 1) {
      const at = Date.UTC(2024, n, 5, 14);
      await completeDate(us.ada, { idea: { title: `Short walk ${n} ${'x'.repeat(150)}` }, at, minutes: 30 });
    }
  });

  const open = async (query = ''): Promise<Page> => {
    const page = await us.open(DESKTOP);
    await page.goto(`/print${query}`);
    await page.getByRole('button', { name: 'Print or Save as PDF' }).waitFor();
    await expect
      .poll(() =>
        page
          .locator('figure img')
          .evaluateAll((all: HTMLImageElement[]) => all.filter(({ naturalWidth }) => naturalWidth > 0).length),
      )
      .toBe(60);
    await page.emulateMedia({ media: 'print' });
    return page;
  };

  /** What is not as it should be on the pages: photographs out of proportion, and what lies outside of its page or on its foot. */
  const faults = (page: Page) =>
    page.evaluate(() => {
      const found: string[] = [];
      for (const sheet of document.querySelectorAll('section[aria-label^="Page"]')) {
        const name = sheet.getAttribute('aria-label');
        const area = sheet.getBoundingClientRect();
        const foot = sheet.lastElementChild?.getBoundingClientRect().top ?? 0;
        for (const one of sheet.querySelectorAll('article, img, figcaption, blockquote, p:not(:last-child)')) {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          const isInside = left >= area.left - 1 && right <= area.right + 1 && top >= area.top - 1 && bottom <= foot;
          if (!isInside) found.push(`${name}: ${one.tagName} ${one.textContent?.slice(0, 20)} lies outside`);
          if (!(one instanceof HTMLImageElement)) continue;
          const { paddingLeft, borderLeftWidth } = getComputedStyle(one);
          const border = 2 * (Number.parseFloat(paddingLeft) + Number.parseFloat(borderLeftWidth));
          const ratio = (right - left - border) / (bottom - top - border);
          const own = Number(one.getAttribute('width')) / Number(one.getAttribute('height'));
          if (Math.abs(ratio / own - 1) > 0.03) found.push(`${name}: a photograph of ${own} is shown as ${ratio}`);
        }
      }
      return found;
    });

  const pagesOf = async (page: Page, format: 'A4' | 'Letter') =>
    (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;

  it('has a sheet for each page of the PDF, on A4 and on Letter, cuts nothing, and prints no control', {
    tags: ['keeping.print.1', 'keeping.print.3'],
  }, async () => {
    const page = await open();
    expect(await page.getByRole('article').getByRole('heading').allInnerTexts()).toMatchObject({
      length: 8,
      7: 'The long walk',
    });
    await page.getByText('Ada & Ben').waitFor();
    await page.getByText('2024 – 2025').waitFor();
    expect(await faults(page)).toEqual([]);
    const sheets = await page.locator('section[aria-label^="Page"]').count();
    for (const format of ['A4', 'Letter'] as const) expect(await pagesOf(page, format)).toBe(1 + sheets);
    for (const name of ['button', 'navigation', 'link'] as const) {
      for (const one of await page.getByRole(name).all()) {
        const isLink = (await one.getAttribute('href'))?.startsWith('https://maps.example.org') ?? false;
        expect(await one.isVisible()).toBe(isLink);
      }
    }
    await page.context().close();
  });

  it('fills the pages of a date with sixty photographs', { tags: ['keeping.print.3'] }, async () => {
    const page = await open(`?dateId=${id}`);
    expect(await faults(page)).toEqual([]);
    const used = await page.locator('section[aria-label^="Page"]').evaluateAll((sheets) =>
      sheets.map((sheet) => {
        const bottoms = [...sheet.querySelectorAll('img, figcaption, blockquote')].map(
          (one) => one.getBoundingClientRect().bottom,
        );
        const { top } = sheet.getBoundingClientRect();
        return (Math.max(...bottoms) - top) / ((sheet.lastElementChild?.getBoundingClientRect().top ?? 0) - top);
      }),
    );
    for (const one of used.slice(0, -2)) expect(one).toBeGreaterThan(0.8);
    const both = await page.locator('blockquote').allInnerTexts();
    expect(both.join(' ').match(/until the lamps/g)).toHaveLength(20);
    await page.getByText('Ada ♥♥♥♥♥').waitFor();
    await page.context().close();
  });
});
