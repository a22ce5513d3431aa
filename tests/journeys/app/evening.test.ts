import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { HOUR } from '../../../src/base/durations.ts';
import { FAKE_CAMERA } from '../../support/chromium.ts';
import { describeOnPostgres } from '../../support/engines.ts';
import { gotoLive, recordSaid } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

/**
 * One evening of two, on two phones, from the heart to the year: how the parts lead into each other. The other journeys
 * are on SQLite and a folder.
 */
describeOnPostgres('an evening of two', (engine) => {
  const here = useApp({ engine, args: FAKE_CAMERA });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name });
  /** The local time of a form field, from the page's clock on. */
  const localTime = (page: Page, hours: number) =>
    page.evaluate((ms) => {
      const at = new Date(Date.now() + ms);
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    }, hours * HOUR);

  it('leads from a heart to a plan, a surprise, the evening itself, two notes and the year', {
    tags: ['ideas.hearts.12', 'screens.controls.2'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const [hers, his] = [await here.openAs(ada, { ...PHONE, name: 'Ada' }), await here.openAs(ben, PHONE)];

    // She writes an idea down, and puts a heart on it. He does too, without knowing of hers.
    await hers.goto('/date-ideas/add');
    await hers.getByLabel('Title').fill('Lanterns on the river');
    await hers.getByLabel('Category').selectOption('Romantic');
    await button(hers, 'Save Idea').click();
    await hers.waitForURL(/\/date-ideas(\?|$)/);
    await button(hers, 'Heart').click();
    await gotoLive(his, '/date-ideas');
    await button(his, 'Heart').click();
    const slip = (page: Page) => page.getByRole('status').filter({ hasText: 'Keep for later' });
    // Each is there for ten seconds, and his for as long as the pointer is on it.
    await Promise.all([
      slip(hers).getByText('Lanterns on the river').waitFor(),
      slip(his).getByText('Lanterns on the river').hover(),
    ]);

    // He plans it from the slip, as a surprise. She sees only the time.
    await slip(his).getByRole('link', { name: 'Plan This Date' }).click();
    await his.getByRole('checkbox', { name: 'Keep it a surprise' }).check();
    await his.getByLabel('Date and time').fill(await localTime(his, 2));
    await his.getByLabel('Location').fill('From the cathedral down to the river');
    await button(his, 'Plan This Date').click();
    await his.waitForURL(/\/planned-dates\/[0-9a-f-]{36}/);
    const said = await recordSaid(hers, 'Completed! One more date to remember.');
    await gotoLive(hers, '/dashboard');
    await hers.getByText('A surprise from Ben.').waitFor();
    expect(await hers.content()).not.toContain('cathedral');

    // He opens it a little early: both screens show it.
    await button(his, 'Start Date').click();
    await heading(hers, 'Our Date, Right Now').waitFor();
    await hers.getByRole('link', { name: /Lanterns on the river/ }).click();
    await hers.waitForURL(/\/now$/);
    await hers.getByText('From the cathedral down to the river').waitFor();

    // They are out: a photograph, a note, and the end.
    await button(hers, 'Take Photo').click();
    await button(hers, 'Capture photo').click();
    await hers.getByText('1 captured').waitFor();
    await button(hers, 'Close camera').click();
    await hers.getByText('1 so far').waitFor();
    await hers.getByLabel('A note, saved as we write').pressSequentially('You counted them. Forty-one.');
    await expect
      .poll(async () => (await ben.call('GET /api/PlannedDates/in-progress')).body[0]?.notes)
      .toBe('You counted them. Forty-one.');
    await button(hers, 'End our date').click();
    await hers.getByRole('alertdialog').getByRole('button', { name: 'End our date' }).click();
    await expect.poll(said).not.toBe('');

    // Each writes a letter, and they open together.
    const letters = (page: Page) => page.getByRole('region', { name: 'What I want to remember' });
    await letters(hers).getByRole('textbox', { name: 'My note' }).fill('The one that would not light.');
    await letters(hers).getByRole('button', { name: 'Seal my note' }).click();
    await letters(his).getByRole('heading', { name: 'Ada has written. Write yours to open both.' }).waitFor();
    await letters(his).getByRole('textbox', { name: 'My note' }).fill('Your hands around it.');
    await letters(his).getByRole('button', { name: 'Open both notes' }).click();
    for (const page of [hers, his]) {
      await letters(page).getByText('The one that would not light.').waitFor();
      await letters(page).getByText('Your hands around it.').waitFor();
    }

    // Both keep the photograph.
    for (const page of [hers, his]) {
      const photographs = page.locator('main img[src*="/api/Memories/"]');
      await expect
        .poll(() =>
          photographs.evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length),
        )
        .toBe(1);
    }

    // The year has its first page.
    await his.goto('/stats');
    await his.getByRole('link', { name: /^Our year \d{4}$/ }).click();
    await his.getByRole('region', { name: 'The opening' }).getByText('Ben & Ada').waitFor();
    await his
      .getByRole('region', { name: 'The opening' })
      .getByText(/^One date/)
      .waitFor();
  });
});
