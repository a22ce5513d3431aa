import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { handleCalls, refuseCalls } from '../../../../tests/support/handle-calls.ts';
import { registerUs, show } from '../../../../tests/support/screens.tsx';

it('the settings say why the last passkey stays', { tags: ['accounts.passkeys.7'] }, async () => {
  const { ada } = await registerUs();
  const passkey = { id: 'a', name: 'Chrome on Linux', createdAt: '2026-01-01T00:00:00.000Z', lastUsedAt: null };
  handleCalls('GET /api/auth/passkeys', () => Response.json([passkey]));
  const message = 'This is your only way to sign in. Set a password first.';
  refuseCalls('DELETE /api/auth/passkeys/*', 409, message);
  await show('/settings', ada);
  const setting = page.getByRole('region', { name: 'Password' });
  await setting.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect.element(page.getByRole('alert').getByText(message)).toBeVisible();
  await expect.element(setting.getByRole('listitem').getByText('Chrome on Linux').first()).toBeVisible();
});
