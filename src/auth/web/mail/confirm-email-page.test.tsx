import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { acceptCalls, failCalls, handleCalls } from '../../../../tests/support/handle-calls.ts';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { address, type Couple, registerUs, show, showSignedOut } from '../../../../tests/support/screens.tsx';

const heading = (name: string) => page.getByRole('heading', { name });

let us: Couple;
beforeAll(async () => {
  us = await registerUs();
});
beforeEach(() => page.viewport(1280, 800));

describe('the link that confirms an e-mail', () => {
  it('sends its code once, without a press, and takes it out of the address', {
    tags: ['mail.screens.3', 'mail.screens.4'],
  }, async () => {
    let calls = 0;
    handleCalls('POST /api/auth/email/code-of-ada', () => {
      calls += 1;
      return new Response(null, { status: 204 });
    });
    await showSignedOut('/auth/email/code-of-ada');
    await expect.element(heading('Your email is confirmed')).toBeVisible();
    await expect.poll(address).toBe('/auth/email/');
    expect(calls).toBe(1);
    expect(await findIssuesAtEverySize('confirmed')).toEqual([]);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expect.poll(address).toBe('/auth/login');
  });

  it('also opens for a signed-in user, and leads into the app', { tags: ['mail.screens.3'] }, async () => {
    acceptCalls('POST /api/auth/email/*');
    await show('/auth/email/code-of-a-user', us.ada);
    await expect.element(heading('Your email is confirmed')).toBeVisible();
    expect(await findIssuesAtEverySize('confirmed by a user')).toEqual([]);
    await page.getByRole('link', { name: 'Open our album' }).click();
    await expect.poll(address).toBe('/dashboard');
  });

  it('says that a code does not work (any more)', { tags: ['mail.screens.4'] }, async () => {
    await showSignedOut('/auth/email/unknown-code');
    await expect.element(heading('This link no longer works')).toBeVisible();
    await expect.element(page.getByText(/If it was used already, your email is confirmed/)).toBeVisible();
    expect(await findIssuesAtEverySize('no longer works')).toEqual([]);
  });

  it('can try again after the connection broke, and says how long to wait after too many tries', {
    tags: ['mail.screens.6'],
  }, async () => {
    const repair = failCalls('POST /api/auth/email/*');
    await showSignedOut('/auth/email/another-code');
    await expect.element(page.getByRole('alert').getByText('We could not reach our album')).toBeVisible();
    repair();
    const headers = { 'retry-after': '61' };
    const relent = handleCalls('POST /api/auth/email/*', () =>
      Response.json({ message: 'Too many.' }, { status: 429, headers }),
    );
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(page.getByRole('alert').getByText('Too many attempts. Please wait 2 minutes')).toBeVisible();
    relent();
    acceptCalls('POST /api/auth/email/*');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(heading('Your email is confirmed')).toBeVisible();
  });
});
