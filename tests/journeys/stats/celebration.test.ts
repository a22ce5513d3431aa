import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/durations.ts';
import { expectNoViolations } from '../../support/accessibility.ts';
import { completeDate } from '../../support/factories.ts';
import { gotoLive, keepNotices, nextPageResponse } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';

describe('the celebration of a milestone', () => {
  const here = useApp();

  it('is shown to both partners at once, on any screen, without taking the focus, and only once', {
    tags: ['stats.milestones.1', 'stats.milestones.2'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const hers = await here.openAs(ada, { name: 'Ada', reducedMotion: 'no-preference' });
    const his = await here.openAs(ben, { name: 'Ben' });
    for (const page of [hers, his]) await keepNotices(page);
    await gotoLive(hers, '/date-ideas/add');
    await gotoLive(his, '/stats');
    const title = hers.getByLabel('Title');
    await title.fill('Something new');
    await his.getByText('Our Journey Starts Here!').waitFor();
    await completeDate(ben, { at: Date.now() - DAY, minutes: 60 });
    for (const page of [hers, his]) {
      await page
        .getByRole('status')
        .filter({ hasText: 'First Date' })
        .getByText('Our very first date together')
        .waitFor();
    }
    expect(await title.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await title.inputValue()).toBe('Something new');
    const flying = (page: Page) =>
      page.getByTestId('celebration-hearts').evaluate((hearts) => hearts.getAnimations({ subtree: true }).length);
    expect(await flying(hers)).toBeGreaterThan(0);
    expect(await flying(his)).toBe(0);
    await expectNoViolations(his);

    // Seen before the page is left.
    const unseen = async () => (await ben.call('GET /api/Stats/celebrations')).body;
    await expect.poll(unseen).toEqual([]);
    await hers.getByRole('button', { name: 'Hide milestone' }).click();
    await hers.getByRole('button', { name: 'Hide milestone' }).waitFor({ state: 'detached' });
    const asked = nextPageResponse(his, (response) => response.url().endsWith('/api/Stats/celebrations'));
    await his.reload();
    await his.getByRole('region', { name: 'Love Milestones' }).getByText('1 of 6').waitFor();
    expect(await (await asked).json()).toEqual([]);
    expect(await unseen()).toEqual([]);
    expect(await his.getByText('Milestone reached').count()).toBe(0);
  });
});
