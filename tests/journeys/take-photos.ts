import type { Page } from 'playwright-core';

/** Takes photographs with the app's camera, in date mode or on the upload page, and closes the camera. */
export async function takePhotos(page: Page, count = 1): Promise<void> {
  await page.getByRole('button', { name: 'Take Photo', exact: true }).click();
  for (let taken = 1; taken <= count; taken += 1) {
    await page.getByRole('button', { name: 'Capture photo', exact: true }).click();
    await page.getByText(`${taken} captured`).waitFor();
  }
  await page.getByRole('button', { name: 'Close camera', exact: true }).click();
}
