import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { acceptCalls, failCalls, handleCalls } from '../../../../tests/support/handle-calls.ts';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { address, type Couple, registerUs, show, showSignedOut } from '../../../../tests/support/screens.tsx';

const heading = (name: string) => page.getByRole('heading', { name });
const stop = page.getByRole('button', { name: 'Stop' });

let us: Couple;
beforeAll(async () => {
  us = await registerUs();
});
beforeEach(() => page.viewport(1280, 800));

describe('the link that confirms an email', () => {
  it('sends its code once, without a press, and takes it out of the address', {
    tags: ['mail.screens.3', 'mail.screens.4'],
  }, async () => {
    const sent: string[] = [];
    handleCalls('POST /api/auth/email/*', () => {
      sent.push(location.pathname);
      return new Response(null, { status: 204 });
    });
    await showSignedOut('/auth/email/code-of-ada');
    await expect.element(heading('Your email is confirmed')).toBeVisible();
    await expect.poll(address).toBe('/auth/email/');
    expect(sent).toHaveLength(1);
    expect(await findIssuesAtEverySize('confirmed')).toEqual([]);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await expect.poll(address).toBe('/auth/login');
  });

  it('opens for a user who is signed in, too, and leads into the app', { tags: ['mail.screens.3'] }, async () => {
    acceptCalls('POST /api/auth/email/*');
    await show('/auth/email/code-of-a-user', us.ada);
    await expect.element(heading('Your email is confirmed')).toBeVisible();
    expect(await findIssuesAtEverySize('confirmed by a user')).toEqual([]);
    await page.getByRole('link', { name: 'Open our album' }).click();
    await expect.poll(address).toBe('/dashboard');
  });

  it('says calmly that a code is used or expired', { tags: ['mail.screens.4'] }, async () => {
    await showSignedOut('/auth/email/used-code');
    await expect.element(heading('This link no longer works')).toBeVisible();
    await expect.element(page.getByText(/If it was used already, your email is confirmed/)).toBeVisible();
    expect(await findIssuesAtEverySize('used')).toEqual([]);
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

describe('the link that stops a link for a new password', () => {
  it('stops nothing before the press', { tags: ['mail.screens.3', 'mail.screens.5'] }, async () => {
    let calls = 0;
    handleCalls('DELETE /api/auth/recovery/*', () => {
      calls += 1;
      return new Response(null, { status: 204 });
    });
    await showSignedOut('/auth/recovery/stop/stop-code');
    await expect.element(stop).toBeVisible();
    await expect.poll(address).toBe('/auth/recovery/stop/');
    expect(await findIssuesAtEverySize('stop')).toEqual([]);
    expect(calls).toBe(0);
    await stop.click();
    await expect.element(heading('The link is stopped')).toBeVisible();
    await expect.element(page.getByRole('main')).toHaveFocus();
    expect(calls).toBe(1);
    expect(await findIssuesAtEverySize('stopped')).toEqual([]);
  });

  it('says that there is nothing to stop, by a used or expired code', { tags: ['mail.screens.5'] }, async () => {
    await showSignedOut('/auth/recovery/stop/used-code');
    await stop.click();
    await expect.element(heading('There is nothing to stop')).toBeVisible();
  });

  it('keeps the button while the server is out of reach', { tags: ['mail.screens.6'] }, async () => {
    failCalls('DELETE /api/auth/recovery/*', 1);
    await showSignedOut('/auth/recovery/stop/third-code');
    await stop.click();
    await expect.element(page.getByRole('alert').getByText('We could not reach our album')).toBeVisible();
    acceptCalls('DELETE /api/auth/recovery/*');
    await stop.click();
    await expect.element(heading('The link is stopped')).toBeVisible();
  });
});
