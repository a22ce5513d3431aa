import { describe, expect, it } from 'vitest';
import { completeDate } from '../../support/factories.ts';
import { stopClock } from '../../support/page-steps.ts';
import { registerAda } from '../../support/register-couple.ts';
import { useCouple } from '../../support/use-app.ts';
import {
  chooseFor,
  countOf,
  makePhotoFile,
  newDate,
  recordSuccess,
  routeUploads,
  saveButton,
  succeeded,
} from '../upload-page.ts';

/** An upload survives reloads, lost connections and ended sessions. */
describe('an upload', () => {
  const us = useCouple();

  it('retries automatically when the connection breaks', {
    tags: ['uploads.sending.7', 'uploads.sending.11'],
  }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    const uploads = await routeUploads(page, (route) => route.abort('connectionreset'));
    await page.clock.install();
    await chooseFor(page, dateId, [await makePhotoFile('a.jpg')]);
    // From here on, only the test advances the page's clock: the page says it for a second only.
    await stopClock(page);
    await saveButton(page).click();
    await page.getByText('The connection was lost. Trying again in a moment.').waitFor();
    await page.clock.runFor(1000);
    await succeeded(page);
    expect(uploads()).toBe(2);
    expect(await countOf(us.ada, dateId)).toBe(1);
  });

  it('is not saved twice if only the response was lost', async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/Memories'))
        keys.push(request.headers()['idempotency-key']);
    });
    await routeUploads(page, async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await chooseFor(page, dateId, [await makePhotoFile('a.jpg')]);
    await saveButton(page).click();
    await succeeded(page);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    expect(await countOf(us.ada, dateId)).toBe(1);
  });

  it('waits while we are offline', { tags: ['uploads.sending.11'] }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    await chooseFor(page, dateId, [await makePhotoFile('a.jpg')]);
    await page.context().setOffline(true);
    await saveButton(page).click();
    await page.getByText('We are offline. The upload continues when the connection is back.').waitFor();
    await page.context().setOffline(false);
    await succeeded(page, 40_000);
    expect(await countOf(us.ada, dateId)).toBe(1);
  });

  it('resumes after a reload', { tags: ['uploads.sending.11'] }, async () => {
    const page = await us.open();
    const dateId = await newDate(us.ada);
    await chooseFor(page, dateId, [await makePhotoFile('a.jpg', 1), await makePhotoFile('b.jpg', 2)]);
    const uploads = await routeUploads(
      page,
      (route) => route.continue(),
      () => new Promise(() => undefined),
    );
    const said = await recordSuccess(page);
    await saveButton(page).click();
    await page.getByText('1 of 2 uploaded').waitFor();
    await expect.poll(uploads).toBe(2);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto('/memories/upload');
    await expect.poll(said).toContain('Our 1 beautiful moment has been saved forever');
    expect(await countOf(us.ada, dateId)).toBe(2);
    expect(uploads()).toBe(3);
  });

  it('resumes after signing in again', { tags: ['uploads.sending.11'] }, async () => {
    const user = await registerAda(us.app, `somebody-${Date.now()}@example.org`);
    const page = await us.openAs(user);
    const { id } = await completeDate(user, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    await routeUploads(page, async (route) => {
      // The session ends while the photograph is being sent.
      await user.call('POST /api/auth/logout');
      await route.continue();
    });
    await chooseFor(page, id, [await makePhotoFile('a.jpg')]);
    await saveButton(page).click();
    await page.waitForURL(/\/auth\/login\?returnUrl=/);
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`**/memories?dateId=${id}`);
    await page.getByText('1 memory found').waitFor();
  });
});
