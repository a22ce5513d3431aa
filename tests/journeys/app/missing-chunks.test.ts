import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addIdea, completeDate, planDate } from '../../support/factories.ts';
import { registerAda } from '../../support/register-couple.ts';
import { useCouple } from '../../support/use-app.ts';
import type { WindowOptions } from '../../support/use-chromium.ts';

describe('code that cannot be loaded', () => {
  const here = useCouple();

  /**
   * Opens a window in which some chunks fail to load. `failed` resolves after a failure, and `mend` ends the failures.
   */
  async function openWithout(
    chunks: RegExp,
    who = here.ada,
    options: WindowOptions = {},
  ): Promise<{ page: Page; failed: () => Promise<unknown>; mend: () => Promise<void> }> {
    const page = await here.openAs(who, options);
    const broken = new RegExp(`/assets/(${chunks.source})-[\\w-]+\\.js`);
    await page.route(broken, (route) => route.abort());
    const mend = () => page.unroute(broken);
    const failed = () => page.waitForEvent('requestfailed', (request) => broken.test(request.url()));
    return { page, failed, mend };
  }
  /**
   * Waits for a part that appears without a press. It is requested again on the next 'online', which is repeated: the page
   * listens only once it has handled the failure, and other parts may fail after this one.
   */
  const expectByItself = async (page: Page, part: Locator) => {
    await expect
      .poll(async () => {
        await page.evaluate(() => dispatchEvent(new Event('online')));
        return part.isVisible();
      })
      .toBe(true);
  };

  it('is replaced by an error if it is a screen, which opens on the next try', {
    tags: ['screens.first.6'],
  }, async () => {
    const { page, mend } = await openWithout(/stats-page/);
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Our Story', exact: true }).first().click();
    await page.getByRole('alert').getByText('This page could not be opened.').waitFor();
    await mend();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(() => document.querySelector('main [role=alert]') === null);
  });

  it('leaves the rest of the dashboard as it is, and follows by itself', { tags: ['screens.first.6'] }, async () => {
    await completeDate(here.ada, { idea: { title: 'A year ago' }, at: '2025-11-22T14:00:00Z', minutes: 60 });
    await planDate(here.ada, { idea: { title: 'The slow lunch' } });
    const { page, failed, mend } = await openWithout(/message-rotation|achievement-and-year/);
    const failure = failed();
    await page.goto('/dashboard');
    await failure;
    await page.getByText('The slow lunch').first().waitFor();
    await mend();
    await expectByItself(page, page.locator('main').getByRole('button', { name: 'Pause' }));
  });

  it('loses nothing of what was typed on the same screen', { tags: ['screens.first.6'] }, async () => {
    const { page, failed } = await openWithout(/qr-code/, await registerAda(here.app, 'alone@example.org'));
    await page.goto('/settings');
    const name = page.getByLabel('Your name');
    await name.fill('Adelaide');
    const failure = failed();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await failure;
    await page.getByLabel('Invitation link').waitFor();
    await expect.poll(() => name.inputValue()).toBe('Adelaide');
  });

  it('leaves a list of ideas and of dates without what waits to be sent', async () => {
    await addIdea(here.ada, { title: 'Heads is left' });
    const { page, failed } = await openWithout(/queued-ideas|outbox-list/);
    const withoutIdeas = failed();
    await page.goto('/date-ideas');
    await withoutIdeas;
    await page.getByRole('heading', { name: 'Heads is left' }).waitFor();
    const withoutDates = failed();
    await page.goto('/planned-dates');
    await withoutDates;
    await page.getByRole('heading', { name: 'Our Dates', level: 1 }).waitFor();
  });

  it('is replaced by an error if it is the memories of a date, which load by themselves later', async () => {
    const { id } = await completeDate(here.ada, {
      idea: { title: 'The whole beach' },
      at: '2026-11-20T14:00:00Z',
      minutes: 60,
    });
    const { page, mend } = await openWithout(/date-memories/);
    await page.goto(`/planned-dates/${id}`);
    await page.getByRole('alert').getByText('Failed to load memories. Please try again.').waitFor();
    await page.getByRole('heading', { name: 'The whole beach', level: 1 }).waitFor();
    await mend();
    await expectByItself(page, page.getByText('No memories captured yet!'));
  });

  it('delays live changes only until it loads', async () => {
    const { page, failed, mend } = await openWithout(/follow-changes/);
    const failure = failed();
    await page.goto('/date-ideas');
    await failure;
    await mend();
    await addIdea(here.ada, { title: 'A lantern walk' });
    await expectByItself(page, page.getByRole('heading', { name: 'A lantern walk' }));
  });

  it('is nothing that a sign-out needs', { tags: ['accounts.signout.10'] }, async () => {
    const ada = await registerAda(here.app, 'leaving@example.org');
    const { page, failed } = await openWithout(/chunk-of-idle-parts|count-unsent-shots/, ada);
    const failure = failed();
    await page.goto('/dashboard');
    await failure;
    await page.getByRole('button', { name: `${ada.user.displayName} menu` }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    // Nothing waits to be sent, so nothing is asked.
    await page.getByLabel('Email').waitFor();
  });

  for (const [what, chunk] of [
    ['the app itself', /shell/],
    ['what an older browser lacks', /global\.esm/],
  ] as const) {
    it(`is requested again by a reload if it is ${what}`, { tags: ['screens.first.7'] }, async () => {
      const { page, mend } = await openWithout(chunk);
      await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Temporal'));
      await page.goto('/dashboard');
      // The page reloads after five seconds, which a busy machine makes longer.
      await page.waitForEvent('load', { timeout: 30_000 });
      await mend();
      await page.getByRole('heading', { name: 'Our Love Story', level: 1 }).waitFor();
      await page.getByRole('heading', { name: 'Quick Actions' }).waitFor();
    });
  }
});
