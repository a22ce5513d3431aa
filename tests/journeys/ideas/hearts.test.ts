import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import { addIdea } from '../../support/factories.ts';
import { gotoLive, keepNotices } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { DESKTOP, PHONE } from '../../support/use-chromium.ts';

/** Hearts: private until returned. */
describe('hearts on the ideas', () => {
  const here = useApp();

  const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });
  const heart = (page: Page, title: string) => card(page, title).getByRole('button', { name: 'Heart', exact: true });
  const isPressed = (page: Page, title: string) => heart(page, title).getAttribute('aria-pressed');
  const filter = (page: Page) => page.getByRole('button', { name: /^We both want this \(\d+\)$/ });
  const slip = (page: Page) => page.getByRole('status').filter({ hasText: 'Keep for later' });
  const open = async (page: Page) => {
    await gotoLive(page, '/date-ideas');
    await page.getByRole('article').first().waitFor();
  };

  it('stay private until they are returned, and then are celebrated on both screens, once', {
    tags: ['ideas.hearts.7'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const { id } = await addIdea(ada, { title: 'Stargazing' });
    await addIdea(ada, { title: 'Crossword' });
    const hers = await here.openAs(ada, { ...PHONE, name: 'Ada' });
    const his = await here.openAs(ben, { ...DESKTOP, name: 'Ben' });
    for (const page of [hers, his]) {
      await keepNotices(page);
      await open(page);
    }
    const asBefore = await card(his, 'Stargazing').innerText();
    const requests: string[] = [];
    his.on('request', (request) => requests.push(request.url()));

    await heart(hers, 'Stargazing').press('Enter');
    await expect.poll(() => isPressed(hers, 'Stargazing')).toBe('true');
    await expect
      .poll(async () => (await ada.call('GET /api/DateIdeas/{id}', { params: { id } })).body.hearts.mine)
      .toBe(true);
    // A change that is announced to him arrives, and shows nothing of hers.
    await addIdea(ada, { title: 'Something else' });
    await card(his, 'Something else').waitFor();
    expect(await isPressed(his, 'Stargazing')).toBe('false');
    expect(await card(his, 'Stargazing').innerText()).toBe(asBefore);
    expect(await filter(his).count()).toBe(0);
    expect(await slip(his).count()).toBe(0);

    await heart(his, 'Stargazing').click();
    for (const page of [hers, his]) {
      await slip(page).getByText('Stargazing').waitFor();
      await card(page, 'Stargazing').getByText('We both want this', { exact: true }).waitFor();
      await expect.poll(() => filter(page).innerText()).toBe('We both want this (1)');
      await expectNoViolations(page);
    }
    expect(await slip(his).getByRole('link', { name: 'Plan This Date' }).getAttribute('href')).toBe(
      `/date-ideas/${id}/plan`,
    );
    await slip(hers).getByRole('button', { name: 'Keep for later' }).click();
    await expect.poll(() => slip(hers).count()).toBe(0);
    await expect.poll(async () => (await ben.call('GET /api/Stats/celebrations')).body).toEqual([]);

    // Taking it back ends it for both, without a notice; putting it again is not celebrated again.
    await heart(hers, 'Stargazing').click();
    await expect.poll(() => isPressed(hers, 'Stargazing')).toBe('false');
    await expect.poll(() => filter(his).count()).toBe(0);
    expect(await isPressed(his, 'Stargazing')).toBe('true');
    await heart(hers, 'Stargazing').click();
    await filter(his).waitFor();
    await filter(hers).waitFor();
    expect(await slip(hers).count()).toBe(0);
  });
});
