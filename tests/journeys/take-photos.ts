import type { Page } from 'playwright-core';

/** Takes photographs with the app's camera, in date mode or on the upload page, and closes the camera. */
export async function takePhotos(page: Page, count = 1): Promise<void> {
  await page.getByRole('button', { name: 'Take Photo', exact: true }).click();
  for (let taken = 1; taken <= count; taken += 1) {
    // Two captures of one frame are the same photograph, which the album keeps once.
    if (taken > 1) await showFrame(page);
    await page.getByRole('button', { name: 'Capture photo', exact: true }).click();
    await page.getByText(`${taken} captured`).waitFor();
  }
  await page.getByRole('button', { name: 'Close camera', exact: true }).click();
}

/** Waits until the camera shows its first or another frame, which a busy machine does late. */
export async function showFrame(page: Page): Promise<void> {
  await page.getByLabel('Live picture of the camera').evaluate(async (video: HTMLVideoElement) => {
    await new Promise((shown) => video.requestVideoFrameCallback(shown));
  });
}
