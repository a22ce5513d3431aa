import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/base/durations.ts';
import { useCouple } from '../../support/use-app.ts';

describe('the floating hearts', () => {
  const us = useCouple();

  it('are three at first, and one more every three seconds, up to eight', {
    tags: ['screens.navigation.4'],
  }, async () => {
    const page = await us.open({ reducedMotion: 'no-preference' });
    // The hearts don't rise: one that arrives at the top would be gone.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Animation.enable');
    await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 });
    // Only the test advances the page's clock.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + MINUTE);
    await page.goto('/stats');
    const layer = page.getByTestId('floating-hearts');
    const hearts = layer.locator(':scope > *');
    await expect
      .poll(async () => {
        await page.clock.runFor(100);
        return hearts.count();
      })
      .toBe(3);
    expect(await layer.getAttribute('aria-hidden')).toBe('true');
    await page.clock.runFor(3000);
    await expect.poll(() => hearts.count()).toBe(4);
    await page.clock.runFor(60_000);
    await expect.poll(() => hearts.count()).toBe(8);
    const look = await hearts.first().evaluate((heart) => {
      const effect = heart.getAnimations()[0]?.effect as KeyframeEffect;
      const frames = effect.getKeyframes();
      return {
        lasts: effect.getTiming().duration,
        opacity: Math.max(...frames.map(({ opacity }) => Number(opacity ?? 0))),
        pressable: getComputedStyle(heart).pointerEvents,
      };
    });
    // Twenty seconds at medium speed; slow is 0.7 times that speed.
    expect(Number(look.lasts)).toBeCloseTo(20_000 / 0.7, -2);
    expect(look.opacity).toBeLessThan(0.5);
    expect(look.pressable).toBe('none');
  });

  it('are absent with reduced motion, and stand still on request', { tags: ['screens.navigation.5'] }, async () => {
    const calm = await us.open({ reducedMotion: 'reduce' });
    await calm.goto('/stats');
    await calm.getByTestId('floating-hearts').waitFor({ state: 'attached' });
    expect(await calm.getByTestId('floating-hearts').locator(':scope > *').count()).toBe(0);
    const page = await us.open({
      reducedMotion: 'no-preference',
      viewport: { width: 360, height: 780 },
    });
    await page.goto('/stats');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Pause hearts' }).click();
    await page.reload();
    const heart = page.getByTestId('floating-hearts').locator(':scope > *').first();
    await heart.waitFor({ state: 'attached' });
    await expect.poll(() => heart.evaluate((one) => one.getAnimations()[0]?.playState)).toBe('paused');
  });
});
