import type { Page } from 'playwright-core';
import type { Partner } from '../support/partner.ts';

/** Signs in on the page that asks for it. */
export async function signIn(page: Page, { email, password }: Partner): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/auth'));
}
