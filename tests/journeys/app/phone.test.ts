import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addIdea, addPhoto, completeDate, planDate, startDate } from '../../support/factories.ts';
import { countRequests } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

/** What a phone's keyboard, gestures and home screen do to the page. */
describe('on a phone', () => {
  const us = useCouple();
  const TOUCH = { ...PHONE, isMobile: true, hasTouch: true };

  /** The paths of the forms with a save bar, and the label of the last field of each. */
  async function forms(): Promise<readonly (readonly [path: string, field: string])[]> {
    const idea = await addIdea(us.ada, { title: 'A hill' });
    const planned = await planDate(us.ada, { idea: { title: 'A pier' } });
    const started = await startDate(us.ada, { idea: { title: 'A fort' } });
    return [
      ['/date-ideas/add', 'Description'],
      [`/date-ideas/${idea.id}/edit`, 'Description'],
      [`/date-ideas/${idea.id}/plan`, 'Notes'],
      [`/planned-dates/${planned.id}/edit`, 'Notes'],
      [`/planned-dates/${started.id}/complete`, 'Notes'],
    ];
  }

  /** How far the focused field reaches below the visible part of the page, in pixels; at most 0 if it is all visible. */
  const hiddenPart = (page: Page) =>
    page.evaluate(() => {
      const bar = document.querySelector('[data-ui="save-bar"]');
      const isFixed = bar !== null && getComputedStyle(bar).position === 'fixed';
      const { offsetTop = 0, height = innerHeight } = window.visualViewport ?? {};
      const end = Math.min(offsetTop + height, isFixed ? bar.getBoundingClientRect().top : innerHeight);
      return (document.activeElement?.getBoundingClientRect().bottom ?? Number.NaN) - end;
    });

  it('the field being typed in stays visible above the keyboard and the bar', {
    tags: ['screens.forms.9'],
  }, async () => {
    const page = await us.open(TOUCH);
    for (const [path, field] of await forms()) {
      await page.setViewportSize(PHONE.viewport);
      await page.goto(path);
      const box = page.getByLabel(field, { exact: true });
      await box.tap();
      // The keyboard shrinks the page (`interactive-widget=resizes-content`).
      await page.setViewportSize({ width: 360, height: 460 });
      await expect.poll(() => hiddenPart(page), { message: path }).toBeLessThanOrEqual(0);
      // In landscape no room is left for the bar.
      await page.setViewportSize({ width: 640, height: 240 });
      await expect.poll(() => hiddenPart(page), { message: path }).toBeLessThanOrEqual(0);
    }
  });

  it('the field moves above a keyboard that covers the page, as far as the page scrolls', {
    tags: ['screens.forms.9'],
  }, async () => {
    const page = await us.open(TOUCH);
    const started = await startDate(us.ada, { idea: { title: 'A fort' } });
    await page.goto(`/planned-dates/${started.id}/complete`);
    for (const field of ['Actual start time', 'Notes']) {
      await page.getByLabel(field, { exact: true }).focus();
      await page.evaluate(() =>
        Object.defineProperty(window.visualViewport, 'height', { configurable: true, value: 400 }),
      );
      // The page may still scroll to the field that has just got the focus.
      const hiddenAtTop = async () => {
        await page.evaluate(() => window.scrollTo(0, 0));
        return hiddenPart(page);
      };
      await expect.poll(hiddenAtTop).toBeGreaterThan(0);
      await page.evaluate(() => window.visualViewport?.dispatchEvent(new Event('resize')));
      await expect.poll(() => hiddenPart(page), { message: field }).toBeLessThanOrEqual(0);
    }
  });

  it('pulling down on a form does not reload it', { tags: ['screens.forms.10'] }, async () => {
    const page = await us.open(TOUCH);
    const pull = () => page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorY);
    await page.goto('/date-ideas/add');
    await page.getByLabel('Title', { exact: true }).waitFor();
    await expect.poll(pull).toBe('contain');
    await page.goto('/date-ideas');
    await page.getByRole('heading', { name: 'Date Ideas', level: 1 }).waitFor();
    await expect.poll(pull).toBe('auto');
  });

  it('two fingers enlarge a photograph', { tags: ['screens.browsers.6'] }, async () => {
    const date = await completeDate(us.ada, { at: Date.now() - 7_200_000, minutes: 60 });
    for (const seed of [1, 2]) await addPhoto(us.ada, date.id, seed, `Print ${seed}`);
    const page = await us.open(TOUCH);
    await page.goto('/memories');
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await page.getByRole('dialog').getByRole('img').first().waitFor();
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Input.synthesizePinchGesture', { x: 180, y: 380, scaleFactor: 2 });
    await expect.poll(() => page.evaluate(() => window.visualViewport?.scale ?? 1)).toBeGreaterThan(1.5);
  });

  /** Makes the browser look like one of an iPhone, in a tab or on the home screen. */
  async function openIphone(standalone: boolean): Promise<Page> {
    const page = await us.open(TOUCH);
    await page.addInitScript((standalone) => {
      Object.defineProperty(navigator, 'standalone', { value: standalone });
      if (!standalone) Reflect.deleteProperty(window, 'PushManager');
    }, standalone);
    return page;
  }

  it('an iPhone explains ‘Add to Home Screen’ in place of the install prompt, and offers reminders only there', {
    tags: ['screens.browsers.7'],
  }, async () => {
    const page = await openIphone(false);
    const chunk = '/assets/install-app-';
    const requests = countRequests(page, chunk);
    await page.goto('/dashboard');
    await page.getByText('Install App').click();
    await expect.poll(requests).toBeGreaterThan(0);
    await page.getByText('Choose ‘Add to Home Screen’, then ‘Add’.').waitFor();
    await page.goto('/settings');
    const reminders = page.getByRole('region', { name: 'Reminders' });
    await reminders.getByText('add our album to the home screen').waitFor();
    expect(await reminders.getByRole('switch', { name: 'Remind me here' }).isDisabled()).toBe(true);

    const installed = await openIphone(true);
    const requestsInstalled = countRequests(installed, chunk);
    // From code that is requested after that of the button.
    const yearAgo = installed.waitForResponse(/\/api\/Stats\/year-ago/);
    await installed.goto('/dashboard');
    await yearAgo;
    expect(requestsInstalled()).toBe(0);
    expect(await installed.getByText('Install App').count()).toBe(0);
    await installed.goto('/settings');
    await installed
      .getByRole('region', { name: 'Reminders' })
      .getByRole('switch', { name: 'Remind me here' })
      .waitFor();
    expect(await installed.getByText('add our album to the home screen').count()).toBe(0);
  });
});
