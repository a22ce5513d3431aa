import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserId } from '../../../src/base/ids.ts';
import { sendDueReminders } from '../../../src/reminders/server/send-due-reminders.ts';
import { expectNoViolations } from '../../support/accessibility.ts';
import { launchChromium } from '../../support/chromium.ts';
import { planDate } from '../../support/factories.ts';
import { keepNotices, untilControlled } from '../../support/page-steps.ts';
import type { Partner } from '../../support/partner.ts';
import { type SubscribedBrowser, startPushService } from '../../support/push-service.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { depsOf } from '../../support/server-deps.ts';
import { useApp } from '../../support/use-app.ts';

/** Replaces the browser's push service, which this Chromium lacks, with the one of the test. */
async function stubPushManager(page: Page, { subscription }: SubscribedBrowser): Promise<void> {
  await page.addInitScript((subscription) => {
    // A subscription outlives the page.
    const unsubscribe = async () => {
      document.cookie = 'subscribed=; max-age=0; path=/';
      return true;
    };
    const stub = { toJSON: () => subscription, unsubscribe };
    Object.assign(PushManager.prototype, {
      subscribe: async () => {
        document.cookie = 'subscribed=yes; path=/';
        return stub;
      },
      getSubscription: async () => (/subscribed=yes/.test(document.cookie) ? stub : null),
    });
  }, subscription);
}

describe('reminders on a phone', () => {
  let service: Awaited<ReturnType<typeof startPushService>>;
  beforeAll(async () => {
    service = await startPushService();
  });
  afterAll(() => service.close());
  const here = useApp({ localPush: true, launch: launchChromium });

  it('are turned on in the settings, each kind separately, and shown by the service worker', {
    tags: ['reminders.2', 'reminders.8'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const browser = service.subscribe();
    const page = await here.openAs(ada, { serviceWorkers: 'allow', permissions: ['notifications'] });
    await stubPushManager(page, browser);
    await keepNotices(page);
    await page.goto('/settings');
    const setting = page.getByRole('region', { name: 'Reminders' });
    const device = setting.getByRole('switch', { name: 'Remind me here' });
    expect(await device.isChecked()).toBe(false);
    await untilControlled(page);
    await device.click();
    await page.getByText('Reminders are on for this device').waitFor();
    expect((await ada.call('GET /api/reminders')).body.subscribed).toBe(true);
    expect((await ben.call('GET /api/reminders')).body.subscribed).toBe(false);
    await expectNoViolations(page);

    await setting.getByRole('switch', { name: 'The evening before a date' }).click();
    await expect.poll(async () => (await ada.call('GET /api/reminders')).body.choices.tomorrow).toBe(false);
    await page.reload();
    await expect.poll(() => device.isChecked()).toBe(true);
    await expect.poll(() => setting.getByRole('switch', { name: 'The evening before a date' }).isChecked()).toBe(false);
    await expect
      .poll(() => setting.getByRole('switch', { name: 'When a date is about to start' }).isChecked())
      .toBe(true);

    // The service worker shows what the server sends.
    await planDate(ben, { idea: { title: 'The slow lunch' }, at: Date.now() + 30 * 60_000, location: 'By the sea' });
    const deps = { ...(await depsOf(here.app)), localPush: true };
    // The server's own scheduler may be at it at the same moment, which keeps this round from it.
    await expect
      .poll(async () => {
        await sendDueReminders(deps);
        return browser.received.length;
      })
      .toBe(1);
    const [pushed] = browser.received;
    expect(pushed?.notice.title).toBe('The slow lunch');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await deliver(page, here.app.url, JSON.stringify(pushed?.notice));
    const shown = () =>
      page.evaluate(async () => {
        const all = await (await navigator.serviceWorker.ready).getNotifications();
        return all.map(({ title, data }) => [title, data as unknown]);
      });
    await expect.poll(shown).toEqual([['Soon: The slow lunch', `/planned-dates/${pushed?.notice.dateId}`]]);

    const icon = await page.evaluate(async () => {
      const [first] = await (await navigator.serviceWorker.ready).getNotifications();
      return (await fetch(first?.icon ?? '')).headers.get('content-type');
    });
    expect(icon).toBe('image/png');

    await device.click();
    await page.getByText('Reminders are off for this device').waitFor();
    await expect.poll(async () => (await ada.call('GET /api/reminders')).body.subscribed).toBe(false);
  });

  it('continue after the session has ended, and leave nothing on the device after signing out', {
    tags: ['reminders.3'],
  }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await here.openAs(ada, { serviceWorkers: 'allow', permissions: ['notifications'] });
    await stubPushManager(page, service.subscribe());
    await keepNotices(page);
    await page.goto('/settings');
    await untilControlled(page);
    await page.getByRole('switch', { name: 'Remind me here' }).click();
    await page.getByText('Reminders are on for this device').waitFor();
    const devices = () => here.app.db.read.selectFrom('pushDevices').select('userId').execute();
    const devicesOfAda = async () => (await devices()).filter(({ userId }) => userId === ada.user.id).length;
    expect(await devicesOfAda()).toBe(1);

    // Sign out from another device.
    await ada.call('POST /api/auth/logout');
    expect(await devicesOfAda()).toBe(0);
    await page.reload();
    await page.getByLabel('Email').fill(ada.email);
    await page.getByLabel('Password').fill(ada.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await expect.poll(devicesOfAda).toBe(1);

    await page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready;
      await worker.showNotification('Tomorrow: something of ours');
    });
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await expect.poll(devicesOfAda).toBe(0);
    const left = () =>
      page.evaluate(async () => {
        const worker = await navigator.serviceWorker.ready;
        return [(await worker.getNotifications()).length, await worker.pushManager.getSubscription()];
      });
    await expect.poll(left).toEqual([0, null]);
  });

  it('are not turned on for another user who signs in there after them', { tags: ['reminders.3'] }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const page = await here.openAs(ada, { serviceWorkers: 'allow', permissions: ['notifications'] });
    await stubPushManager(page, service.subscribe());
    await keepNotices(page);
    await page.goto('/settings');
    await untilControlled(page);
    await page.getByRole('switch', { name: 'Remind me here' }).click();
    await page.getByText('Reminders are on for this device').waitFor();
    const devicesOf = async ({ user }: Partner) =>
      (
        await here.app.db.read
          .selectFrom('pushDevices')
          .select('userId')
          .where('userId', '=', user.id as UserId)
          .execute()
      ).length;
    const signIn = async (who: Partner) => {
      const late = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/couple/deletion');
      await page.getByLabel('Email').fill(who.email);
      await page.getByLabel('Password').fill(who.password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await late;
    };
    await ada.call('POST /api/auth/logout');
    await page.reload();
    await signIn(ben);
    const turnedOn = page
      .waitForRequest((request) => request.url().endsWith('/api/reminders/device'), { timeout: 3_000 })
      .then(
        () => true,
        () => false,
      );
    expect(await turnedOn).toBe(false);
    expect(await devicesOf(ben)).toBe(0);

    for (const { id, current } of (await ben.call('GET /api/auth/sessions')).body)
      if (!current) await ben.call('DELETE /api/auth/sessions/{id}', { params: { id } });
    await page.reload();
    await signIn(ada);
    await expect.poll(() => devicesOf(ada)).toBe(1);
  });

  it('show why they are unavailable if they are blocked', async () => {
    const { ada } = await registerCouple(here.app);
    const page = await here.openAs(ada, { permissions: [] });
    await page.addInitScript(() => {
      Object.defineProperty(Notification, 'permission', { value: 'denied' });
    });
    await page.goto('/settings');
    const device = page.getByRole('switch', { name: 'Remind me here' });
    await page.getByText(/^Notifications are blocked for our album/).waitFor();
    await expect.poll(() => device.isDisabled()).toBe(true);
  });
});

/** Delivers a decrypted push to the service worker. */
async function deliver(page: Page, url: string, data: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { promise: known, resolve } = Promise.withResolvers<string>();
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [one] = registrations.filter(({ isDeleted }) => !isDeleted);
    if (one) resolve(one.registrationId);
  });
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(url).origin,
    registrationId: await known,
    data,
  });
  await devtools.detach();
}
