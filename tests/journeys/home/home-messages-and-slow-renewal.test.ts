import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/base/durations.ts';
import { planDate } from '../../support/factories.ts';
import { delayRequests, gotoLive, letReactRender, stopClock } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useCouple } from '../../support/use-app.ts';

const MOVING = { reducedMotion: 'no-preference' } as const;

describe('home', () => {
  const us = useCouple();

  it('changes the message every three seconds, until it is paused', { tags: ['home.dashboard.5'] }, async () => {
    const page = await us.open(MOVING);
    await page.clock.install();
    await page.goto('/dashboard');
    const message = page.locator('main .felt').first();
    await message.waitFor();
    // From here on, the test controls the page's clock.
    await stopClock(page);
    const after = async (ms: number) => {
      await letReactRender(page);
      await page.clock.runFor(ms);
      await letReactRender(page);
      return message.innerText();
    };
    const seen = [await after(0)];
    let shown = await after(100);
    for (let step = 1; step < 30 && shown === seen[0]; step += 1) shown = await after(100);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(seen).not.toContain(shown);
      seen.push(shown);
      expect(await after(2800)).toBe(shown);
      shown = await after(200);
    }
    expect(seen).not.toContain(shown);
    await page.getByRole('button', { name: 'Pause' }).click();
    const held = await after(0);
    await page.mouse.move(1, 1);
    expect(await after(9000)).toBe(held);
  });

  it('asks once if the session takes long to renew, and shows what the partner changes right after', {
    tags: ['home.dashboard.3'],
  }, async () => {
    const { ada, ben } = await registerCouple(us.app);
    const page = await us.openAs(ada);
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Plan Our Next Date' }).waitFor();
    await delayRequests(page, '**/api/auth/renew', 500);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/PlannedDates/next')) asked += 1;
    });
    await gotoLive(page, '/dashboard');
    await page.getByRole('heading', { name: 'Plan Our Next Date' }).waitFor();
    expect(asked).toBe(1);
    await planDate(ben, { idea: { title: 'The slow lunch' }, at: Date.now() + DAY });
    await page.getByRole('heading', { name: 'The slow lunch' }).waitFor();
  });
});
