import { describe, expect, it } from 'vitest';
import { FAKE_CAMERA } from '../../support/chromium.ts';
import { completeDate } from '../../support/factories.ts';
import { keepNotices } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { countOf, saveButton } from '../upload-page.ts';

describe('the camera', () => {
  const us = useCouple({ args: FAKE_CAMERA });

  it('takes several photos, which are uploaded like any others', {
    tags: ['uploads.choosing.3', 'uploads.camera.2'],
  }, async () => {
    const date = await completeDate(us.ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    const page = await us.open();
    // After an upload, the page says so for two seconds.
    await keepNotices(page, 2_000);
    await page.goto(`/memories/upload/${date.id}`);
    const camera = page.getByRole('dialog', { name: 'Take Photo' });
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await camera.getByText('Back Camera').waitFor();
    const shutter = camera.getByRole('button', { name: 'Capture photo' });
    await shutter.click();
    await camera.getByText('1 captured').waitFor();
    await shutter.click();
    await camera.getByText('2 captured').waitFor();
    await camera.getByText('2/100').waitFor();
    await camera.getByRole('button', { name: 'Close camera' }).click();
    await page.getByRole('heading', { name: '2 photos selected' }).waitFor();
    await expect.poll(() => page.getByText(/^captured-memory-\d+-[12]\.jpg$/).count()).toBe(2);
    await expect.poll(() => page.getByText('captured', { exact: true }).count()).toBe(2);
    await saveButton(page).click();
    await page.getByText('Memories Uploaded Successfully!').waitFor();
    expect(await countOf(us.ada, date.id)).toBe(2);
  });
});
