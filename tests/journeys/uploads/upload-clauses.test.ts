import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/base/time.ts';
import { expectNoViolations } from '../../support/accessibility.ts';
import { PHONE, stopClock } from '../../support/browser.ts';
import { useCouple } from '../../support/use-app.ts';
import { answerUploads, chooseFor, countOf, newDate, photo, save, succeeded } from '../upload-page.ts';

/** Smaller requirements for the upload page. */
describe('the upload page', () => {
  const us = useCouple();

  it('has a title, and a picker for many files of the allowed types that works by keyboard', {
    tags: ['uploads.choosing.1'],
  }, async () => {
    const page = await us.open();
    await page.goto('/memories/upload');
    await page.getByRole('heading', { level: 1, name: 'Add Beautiful Memories' }).waitFor();
    const picker = page.getByLabel('Choose photos');
    expect(await picker.getAttribute('accept')).toBe('image/jpeg,image/jpg,image/png,image/gif,image/webp');
    expect(await picker.getAttribute('multiple')).not.toBeNull();
    // Wait until the dates are loaded, so that no rendering moves the focus.
    await page.getByText('We have not planned a date yet.').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await picker.press('Enter');
    await (await chooser).setFiles([await photo('by-keyboard.jpg')]);
    await page.getByRole('heading', { name: '1 photo selected' }).waitFor();
    await expectNoViolations(page);
  });

  it('opens the picker by a click anywhere on the mount, which is one button to a screen reader', {
    tags: ['uploads.choosing.1', 'uploads.choosing.10'],
  }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/memories/upload');
    await page.getByText('We have not planned a date yet.').or(page.getByRole('option').nth(1)).first().waitFor();
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
    const chooser = page.waitForEvent('filechooser');
    await page.getByText('Choose photos').click();
    await chooser;
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await page.getByRole('dialog', { name: 'Take Photo' }).waitFor();
  });

  it('trims captions, and leaves out empty ones', { tags: ['uploads.choosing.5'] }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    const bodies: string[] = [];
    await page.route('**/api/Memories', async (route) => {
      bodies.push(route.request().postDataBuffer()?.toString('latin1') ?? '');
      await route.continue();
    });
    await chooseFor(page, dateId, [await photo('a.jpg', 1), await photo('b.jpg', 2)]);
    await page.getByPlaceholder('Add a caption for this memory...').first().fill('   ');
    await page.getByPlaceholder('Add a caption for this memory...').nth(1).fill('  Ours ');
    await save(page).click();
    await succeeded(page);
    expect(bodies.map((body) => body.includes('name="Caption"'))).toEqual([false, true]);
    const { body } = await us.ada.call('GET /api/Memories', { query: { plannedDateId: dateId, sort: 'date-asc' } });
    expect(body.map(({ caption }) => caption)).toEqual([null, 'Ours']);
  });

  it('redirects two seconds after the success', { tags: ['uploads.sending.5'] }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    await page.clock.install();
    await chooseFor(page, dateId, [await photo('a.jpg')]);
    // From here the page's time moves only in steps of 10 ms, so a slow machine can't use up the two seconds.
    await page.clock.pauseAt(Date.now() + MINUTE);
    await save(page).click();
    await expect
      .poll(async () => {
        await page.clock.runFor(10);
        return page.getByText('Memories Uploaded Successfully!').isVisible();
      })
      .toBe(true);
    await page.clock.runFor(1900);
    expect(new URL(page.url()).pathname).toBe(`/memories/upload/${dateId}`);
    await page.clock.runFor(200);
    await page.waitForURL(`**/memories?dateId=${dateId}`);
  });

  it('simulates progress up to 90 percent if the browser reports none', { tags: ['uploads.sending.4'] }, async () => {
    const page = await us.open();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await answerUploads(page, async (route) => {
      await held;
      await route.continue();
    });
    const dateId = await newDate(us.ada);
    await chooseFor(page, dateId, [await photo('a.jpg')]);
    await page.evaluate(() => Object.defineProperty(XMLHttpRequest.prototype, 'upload', { get: () => ({}) }));
    await save(page).click();
    await page.getByText('90% Complete').waitFor();
    await page.getByRole('progressbar', { name: 'Upload of a.jpg' }).waitFor();
    release();
    await succeeded(page);
  });

  it('retries automatically if the server is busy, and after no other refusal', {
    tags: ['uploads.sending.7'],
  }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    await page.clock.install();
    const refuse = (status: number, message: string) => ({
      status,
      headers: { 'content-type': 'application/problem+json', ...(status === 503 ? { 'retry-after': '1' } : {}) },
      body: JSON.stringify({ status, message }),
    });
    const uploads = await answerUploads(
      page,
      (route) => route.fulfill(refuse(503, 'Not now')),
      (route) => route.continue(),
      (route) => route.fulfill(refuse(507, 'Our disk is full. Nothing was saved; make room and try again.')),
    );
    await chooseFor(page, dateId, [await photo('a.jpg', 1), await photo('b.jpg', 2)]);
    // From here on, only the test advances the page's clock: the page says it for a second only.
    await stopClock(page);
    await save(page).click();
    await page.getByText('The server is busy. Trying again in a moment.').waitFor();
    await page.clock.runFor(1000);
    await page.getByText('Our disk is full.').waitFor();
    await page.getByText('Upload failed - click retry to try again').waitFor();
    expect(uploads()).toBe(3);
    expect(await countOf(us.ada, dateId)).toBe(1);
  });

  it('waits while an earlier attempt is still running, and sends the photo under the same key', {
    tags: ['uploads.sending.9'],
  }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    const keys: (string | undefined)[] = [];
    const stillRunning = (route: Route) => {
      keys.push(route.request().headers()['idempotency-key']);
      return route.fulfill({
        status: 409,
        headers: { 'content-type': 'application/problem+json', 'retry-after': '1' },
        body: JSON.stringify({ message: 'The first request with this Idempotency-Key is still running.' }),
      });
    };
    // A server may take longer than half a minute for one photograph.
    const tries = 7;
    const busy = page.getByText('The server is busy. Trying again in a moment.');
    /** Advances the page's clock in steps until a condition holds. */
    const until = async (holds: () => boolean | Promise<boolean>, step: number) => {
      const pass = async () => {
        await page.clock.runFor(step);
        return holds();
      };
      await expect.poll(pass, { timeout: 30_000 }).toBe(true);
    };
    await page.clock.install();
    await answerUploads(page, ...Array.from({ length: tries }, () => stillRunning), (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      return route.continue();
    });
    await chooseFor(page, dateId, [await photo('a.jpg')]);
    // From here on, only the test advances the page's clock, so that it sees every attempt.
    await stopClock(page);
    await save(page).click();
    for (let n = 1; n <= tries; n += 1) {
      await until(() => keys.length === n, 1000);
      await until(() => busy.isVisible(), 1);
    }
    await until(() => page.getByText('Memories Uploaded Successfully!').isVisible(), 1000);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(tries + 1);
    expect(await countOf(us.ada, dateId)).toBe(1);
  });
});
