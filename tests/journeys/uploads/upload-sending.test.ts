import { describe, expect, it } from 'vitest';
import { PHONE } from '../../support/browser.ts';
import { useCouple } from '../../support/use-app.ts';
import { chooseFor, newDate, photo, recordSuccess, save } from '../upload-page.ts';

describe('sending photos', () => {
  const us = useCouple();

  it('sends photos one at a time with their captions, and leads to their date’s gallery', {
    tags: ['uploads.sending.2', 'uploads.sending.5'],
  }, async () => {
    const page = await us.open(PHONE);
    const dateId = await newDate(us.ada);
    const sent: string[] = [];
    const said = await recordSuccess(page);
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/Memories')) sent.push('begun');
    });
    page.on('response', (response) => {
      if (response.status() === 201) sent.push('kept');
    });
    await chooseFor(page, dateId, [await photo('a.jpg', 1), await photo('b.jpg', 2), await photo('c.jpg', 3)]);
    await page.getByRole('textbox', { name: 'Caption' }).nth(1).fill('  One pair of gloves ');
    await page.getByText('18/500').waitFor();
    await save(page).click();
    await expect.poll(said).toContain('Our 3 beautiful moments have been saved forever');
    await expect.poll(() => sent).toEqual(['begun', 'kept', 'begun', 'kept', 'begun', 'kept']);
    await page.waitForURL(`**/memories?dateId=${dateId}`);
    await page.getByText('3 memories found for The whole beach').waitFor();
    await page.getByText('One pair of gloves').waitFor();
  });
});
