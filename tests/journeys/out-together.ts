import type { Page } from 'playwright-core';
import { type Partner, registerCouple } from '../support/client.ts';
import { startDate } from '../support/factories.ts';
import type { TestApp } from '../support/test-app.ts';

const HOUR = 3_600_000;

/** Registers a couple that is on a date, with the path of its date mode. */
export async function goOutTogether(app: TestApp) {
  const couple = await registerCouple(app);
  const date = await startDate(couple.ada, { idea: { title: 'Lantern walk' }, at: Date.now() - HOUR });
  return { ...couple, date, path: `/planned-dates/${date.id}/now` };
}

/** Signs in on the page that asks for it. */
export async function signIn(page: Page, { email, password }: Partner): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/auth'));
}
