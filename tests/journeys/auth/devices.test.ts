import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/base/durations.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useCouple } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

describe('the settings', () => {
  const us = useCouple();

  it("list the user's devices with this one first, sign out others, and fold a long list", {
    tags: ['accounts.settings.4', 'screens.words.7'],
  }, async () => {
    const { ada } = await registerCouple(us.app);
    for (let device = 0; device < 7; device += 1) {
      await fetch(`${us.app.url}/api/auth/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36',
        },
        body: JSON.stringify({ email: ada.email, password: ada.password }),
      });
    }
    const page = await us.openAs(ada, PHONE);
    // A device whose clock is behind the server's.
    await page.clock.setFixedTime(Date.now() - MINUTE);
    await page.goto('/settings');
    const devices = page.getByRole('region', { name: 'Devices' });
    const lines = devices.getByRole('listitem');
    await lines.first().getByText('This device', { exact: true }).waitFor();
    await expect.poll(() => lines.count()).toBe(5);
    await lines.getByText('last used 0 seconds ago').first().waitFor();
    await devices.getByRole('button', { name: 'Show 3 more devices' }).click();
    await expect.poll(() => lines.count()).toBe(8);
    await expect.poll(() => devices.getByRole('button', { name: 'Sign out' }).count()).toBe(7);
    await devices.getByRole('button', { name: 'Sign out' }).first().click();
    await page.getByRole('status').getByText('Signed out on Chrome on Android').waitFor();
    await expect.poll(() => lines.count()).toBe(7);
    expect((await ada.call('GET /api/auth/sessions')).body).toHaveLength(7);
  });
});
