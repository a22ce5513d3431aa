import { describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';
import { makePhotoFile } from '../upload-page.ts';

/** The browser's own dialog to choose files. */
describe('the picker of the upload page', () => {
  const us = useCouple();

  it('opens by keyboard and by a click anywhere on the mount, which is one button to a screen reader', {
    tags: ['uploads.choosing.1', 'uploads.choosing.10'],
  }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/memories/upload');
    // Wait until the dates are loaded, so that no rendering moves the focus.
    await page.getByText('We have not planned a date yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Choose photos' }).count()).toBe(1);
    const mount = page.getByText('Drag and drop, or click to browse').locator('../..');
    const { width, height } = (await mount.boundingBox()) ?? { width: 0, height: 0 };
    const corners = [
      { x: 6, y: 6 },
      { x: width - 6, y: 6 },
      { x: 6, y: height - 6 },
      { x: width - 6, y: height - 6 },
    ];
    for (const position of corners) {
      const chooser = page.waitForEvent('filechooser');
      await mount.click({ position });
      await chooser;
    }
    for (const open of [
      () => page.getByText('Choose photos').click(),
      () => page.getByLabel('Choose photos').press('Enter'),
    ]) {
      const chooser = page.waitForEvent('filechooser');
      await open();
      await (await chooser).setFiles([await makePhotoFile('chosen.jpg')]);
      await page.getByRole('heading', { name: '1 photo selected' }).waitFor();
      await page.getByRole('button', { name: 'Remove All' }).click();
      await mount.waitFor();
    }
    await expectNoViolations(page);
  });
});
