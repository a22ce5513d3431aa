import { describe, expect, it } from 'vitest';
import { PHONE } from '../../support/browser.ts';
import { makeHalfJpeg } from '../../support/images.ts';
import { useCouple } from '../../support/use-app.ts';
import { answerUploads, chooseFor, countOf, newDate, photo, recordSuccess, save, succeeded } from '../upload-page.ts';

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

  it('shows the progress, and locks the selection', { tags: ['uploads.sending.1', 'uploads.sending.3'] }, async () => {
    const page = await us.open();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await answerUploads(
      page,
      (route) => route.continue(),
      async (route) => {
        await held;
        await route.continue();
      },
    );
    await chooseFor(page, await newDate(us.ada), [await photo('a.jpg', 1), await photo('b.jpg', 2)]);
    await save(page).click();
    await page.getByText('Uploading our precious memories...').waitFor();
    await page.getByText('1 of 2 uploaded').waitFor();
    await page.getByText(/^(5\d|[6-8]\d|9[0-5])% Complete$/).waitFor();
    await page.getByRole('button', { name: 'Uploading 1/2...' }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Remove b.jpg' }).isDisabled()).toBe(true);
    expect(await page.getByRole('textbox', { name: 'Caption' }).nth(1).isDisabled()).toBe(true);
    release();
    await succeeded(page);
  });

  it('reports failed photos, and retries only those', {
    tags: ['uploads.sending.2', 'uploads.sending.6'],
  }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    const half = { name: 'half.jpg', mimeType: 'image/jpeg', buffer: await makeHalfJpeg() };
    const uploads = await answerUploads(page);
    await chooseFor(page, dateId, [await photo('a.jpg', 1), half, await photo('c.jpg', 3)]);
    await save(page).click();
    await page
      .getByText(
        '1 file(s) failed to upload. You can retry the failed uploads or continue with the 2 successfully uploaded memories.',
      )
      .waitFor();
    await page.getByText('Some files failed to upload. You can retry or continue without them.').waitFor();
    await page.getByText('Upload failed - click retry to try again').waitFor();
    await page.getByText('2 of 3 uploaded').waitFor();
    expect(uploads()).toBe(3);
    await page.getByRole('button', { name: 'Retry Failed Uploads' }).click();
    await expect.poll(uploads).toBe(4);
    await page.getByText('Upload failed - click retry to try again').waitFor();
    await page.getByRole('link', { name: 'Continue without them' }).click();
    await page.getByText('2 memories found').waitFor();
    expect(await countOf(us.ada, dateId)).toBe(2);
  });

  it('takes no photo for saved that something else than the server has taken', {
    tags: ['uploads.sending.15'],
  }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    const uploads = await answerUploads(
      page,
      (route) => route.fulfill({ status: 204 }),
      (route) => route.fulfill({ status: 200, json: { isSignedIn: false } }),
      (route) => route.fulfill({ status: 200, contentType: 'text/plain', body: 'Welcome' }),
    );
    await chooseFor(page, dateId, [await photo('a.jpg', 1)]);
    await save(page).click();
    await succeeded(page);
    expect(uploads()).toBe(4);
    expect(await countOf(us.ada, dateId)).toBe(1);
  });

  it('sends nothing while a caption is too long', { tags: ['uploads.choosing.5'] }, async () => {
    const page = await us.open();
    const uploads = await answerUploads(page);
    const said = await recordSuccess(page);
    await chooseFor(page, await newDate(us.ada), [await photo('a.jpg', 1)]);
    const caption = page.getByRole('textbox', { name: 'Caption' });
    await caption.fill('x'.repeat(501));
    await page.getByText('501/500').waitFor();
    await save(page).click();
    await page.getByText('Caption cannot exceed 500 characters').waitFor();
    await expect.poll(() => caption.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(uploads()).toBe(0);
    await caption.fill('x'.repeat(500));
    await save(page).click();
    await expect.poll(said).toContain('Our 1 beautiful moment has been saved forever');
  });

  it('asks before it is canceled, however the page is left', { tags: ['uploads.sending.8'] }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    await answerUploads(page, () => new Promise(() => undefined));
    await chooseFor(page, dateId, [await photo('a.jpg', 1)]);
    await save(page).click();
    const question = page.getByRole('alertdialog');
    await page.getByRole('button', { name: 'Stop' }).click();
    await question.getByText('Upload in progress. Are you sure you want to cancel?').waitFor();
    await question.getByRole('button', { name: 'Stay' }).click();
    await page.getByText('0 of 1 uploaded').waitFor();
    await page.getByRole('link', { name: 'Our Dates' }).click();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Stop' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/memories');
    expect(await countOf(us.ada, dateId)).toBe(0);
  });

  it('can be left without a question when nothing is being sent', { tags: ['uploads.sending.8'] }, async () => {
    const page = await us.open();
    await chooseFor(page, await newDate(us.ada), [await photo('a.jpg', 1)]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL('**/memories');
  });
});
