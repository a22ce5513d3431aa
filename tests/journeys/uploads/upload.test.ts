import { beforeAll, describe, expect, it } from 'vitest';
import type { PlannedDate } from '../../../src/dates/contract.ts';
import { answerOnce } from '../../support/answer-once.ts';
import { addIdea, completeDate, planDate } from '../../support/factories.ts';
import { makeJpeg, makePng } from '../../support/images.ts';
import { useCouple } from '../../support/use-app.ts';
import { choose, chooseFor, photo, save } from '../upload-page.ts';

describe('selecting photos', () => {
  const us = useCouple();
  let date: PlannedDate;
  beforeAll(async () => {
    const { ada } = us;
    const idea = await addIdea(ada, { title: 'Two days in Arezzo' });
    date = await completeDate(ada, { idea: idea.id, at: '2026-10-17T09:00:00Z', minutes: 90 });
    await planDate(ada, { idea: { title: 'A film in the rain' }, at: Date.now() + 5 * 86_400_000 });
  });

  it('shows the number, size and upright preview of each photo', {
    tags: ['uploads.choosing.1', 'uploads.choosing.2', 'uploads.choosing.3'],
  }, async () => {
    const page = await us.open();
    await page.goto('/memories/upload');
    await page.getByText('JPEG, PNG, GIF, WebP • Max 100MB per image • Up to 100 images').waitFor();
    await expect.poll(() => save(page).isDisabled()).toBe(true);
    const tall = await makeJpeg({ width: 400, height: 200, orientation: 6 });
    await choose(page, [
      await photo('by the weir.jpg'),
      { name: 'tall.jpg', mimeType: 'image/jpeg', buffer: tall },
      { name: 'map.png', mimeType: 'image/png', buffer: await makePng() },
    ]);
    await page.getByRole('heading', { name: '3 photos selected' }).waitFor();
    await page.getByText('(97 remaining)').waitFor();
    await page.getByText('3/100').waitFor();
    const cards = page.getByRole('listitem').filter({ has: page.getByRole('textbox', { name: 'Caption' }) });
    const shape = () =>
      cards
        .nth(1)
        .locator('img')
        .evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]);
    await expect.poll(shape).toEqual([200, 400]);

    await page.getByRole('button', { name: 'Remove by the weir.jpg' }).click();
    await page.getByRole('heading', { name: '2 photos selected' }).waitFor();
    await choose(page, [await photo('by the weir.jpg')]);
    await page.getByRole('heading', { name: '3 photos selected' }).waitFor();
    await page.getByRole('button', { name: 'Remove All' }).click();
    await page.getByText('Drag and drop, or click to browse').waitFor();
  });

  it('names each invalid file, and accepts the others', {
    tags: ['uploads.choosing.1', 'uploads.choosing.7'],
  }, async () => {
    const page = await us.open();
    await page.goto('/memories/upload');
    await page.getByText('Drag and drop').waitFor();
    const drop = await page.evaluateHandle(
      (bytes) => {
        const data = new DataTransfer();
        data.items.add(new File(['%PDF'], 'notes.pdf', { type: 'application/pdf' }));
        data.items.add(new File([new Uint8Array(bytes)], 'sea.jpg', { type: 'image/jpeg' }));
        data.items.add(new File([new Blob([new Uint8Array(100 * 1024 * 1024 + 1)])], 'big.png', { type: 'image/png' }));
        return data;
      },
      [...(await photo('sea')).buffer],
    );
    await page.getByText('Drag and drop').dispatchEvent('drop', { dataTransfer: drop });
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await expect
      .poll(() => alert.locator('p').innerText())
      .toBe(
        'notes.pdf: Invalid file type. Please use JPEG, PNG, GIF, or WebP.\nbig.png: File too large. Maximum size is 100MB.',
      );
    await page.getByRole('heading', { name: '1 photo selected' }).waitFor();
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  it('accepts none if there would be more than a hundred', {
    tags: ['uploads.choosing.2', 'uploads.choosing.7'],
  }, async () => {
    const page = await us.open();
    await page.goto('/memories/upload');
    const one = await photo('one.jpg');
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...one, name: `${n}.jpg` }));
    await choose(page, many(99));
    await page.getByText('(1 remaining)').waitFor();
    await choose(page, many(2));
    await page.getByText('You can only upload up to 100 images at once. Please select fewer files.').waitFor();
    await page.getByRole('heading', { name: '99 photos selected' }).waitFor();
    await choose(page, many(1));
    await page.getByRole('heading', { name: '100 photos selected' }).waitFor();
    await expect.poll(() => page.getByText('remaining)').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Add More' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Take Photo' }).isDisabled()).toBe(true);
  });

  it('accepts a pasted picture', { tags: ['uploads.choosing.1'] }, async () => {
    const page = await us.open();
    await page.goto('/memories/upload');
    await page.getByText('Drag and drop').waitFor();
    await page.evaluate(
      (bytes) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([new Uint8Array(bytes)], 'pasted.png', { type: 'image/png' }));
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      },
      [...(await makePng())],
    );
    await page.getByText('pasted.png').waitFor();
  });

  it('asks for a date, and preselects the one in the address', {
    tags: ['uploads.choosing.6', 'uploads.sending.1'],
  }, async () => {
    const page = await us.open();
    await page.goto('/memories/upload');
    const select = page.getByRole('combobox', { name: 'Which magical date are these memories from?' });
    await expect.poll(() => select.locator('option').allInnerTexts()).toHaveLength(3);
    const options = await select.locator('option').allInnerTexts();
    expect(options[0]).toBe('Select a date...');
    expect(options[1]).toBe('Two days in Arezzo - Oct 17, 2026 ✨');
    expect(options[2]).toMatch(/^A film in the rain - \w{3} \d+, 20\d\d$/);
    await choose(page, [await photo('sea.jpg')]);
    await page.getByRole('link', { name: 'choose a date' }).waitFor();
    await expect.poll(() => save(page).isDisabled()).toBe(true);
    await select.selectOption(date.id);
    await page.getByText('Saturday, October 17, 2026').waitFor();
    await expect.poll(() => save(page).isEnabled()).toBe(true);

    await chooseFor(page, date.id, [await photo('sea.jpg')]);
    await expect.poll(() => select.inputValue()).toBe(date.id);
    await expect.poll(() => save(page).innerText()).toBe('Save 1 Memory');
  });

  it('reports that the dates could not be loaded, and retries', { tags: ['uploads.choosing.9'] }, async () => {
    const page = await us.open();
    await answerOnce(page, 'GET /api/PlannedDates', 'cut');
    await page.goto('/memories/upload');
    await page.getByText('Failed to load our dates. Please try again.').waitFor();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('combobox', { name: 'Which magical date' }).waitFor();
  });
});
