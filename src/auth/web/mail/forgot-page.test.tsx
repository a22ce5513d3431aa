import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  acceptCalls,
  failCalls,
  handleCalls,
  holdCalls,
  saysItSendsMail,
} from '../../../../tests/support/handle-calls.ts';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { address, registerUs, showSignedOut } from '../../../../tests/support/screens.tsx';

const email = page.getByLabelText('Email');
const send = page.getByRole('button', { name: 'Send the link' });
const sent = page.getByRole('heading', { name: 'Check your email' });

beforeEach(async () => {
  await page.viewport(1280, 800);
  // With an empty server, the sign-in page leads to registration.
  await registerUs();
});

describe('the sign-in page', () => {
  it('leads to the page of a forgotten password with what was typed, and back', {
    tags: ['mail.screens.1'],
  }, async () => {
    saysItSendsMail();
    await showSignedOut('/auth/login?returnUrl=%2Fstats');
    await email.fill('ada@example.org');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect.element(page.getByRole('heading', { name: 'Forgot your password?', level: 1 })).toHaveFocus();
    await expect.element(email).toHaveValue('ada@example.org');
    await page.getByRole('link', { name: 'Back to sign in' }).click();
    await expect.poll(address).toBe('/auth/login?returnUrl=%2Fstats');
  });

  it('explains the other ways where the server sends no mail', { tags: ['mail.screens.2'] }, async () => {
    await showSignedOut('/auth/login');
    await expect
      .element(page.getByText(/Your partner can make you a link in Settings, and so can the person/))
      .toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Forgot your password?' })).not.toBeInTheDocument();
    await showSignedOut('/auth/forgot');
    await expect.element(page.getByText('This server can’t mail you one.')).toBeVisible();
    await expect.element(page.getByText(/Your partner can make you a link in Settings/)).toBeVisible();
    await expect.element(send).not.toBeInTheDocument();
  });
});

describe('the page of a forgotten password', () => {
  const open = async () => {
    saysItSendsMail();
    await showSignedOut('/auth/forgot');
    await expect.element(send).toBeVisible();
  };
  beforeEach(open);

  it('wants an email', { tags: ['mail.screens.1'] }, async () => {
    await email.fill('');
    await send.click();
    await expect.element(page.getByText('Email is required')).toBeVisible();
    await email.fill('nobody');
    await expect.element(page.getByText('This is not an email address')).toBeVisible();
    await expect.element(email).toHaveFocus();
  });

  it('sends it once, says what may happen, and can change it', { tags: ['mail.screens.1'] }, async () => {
    const held = holdCalls('POST /api/auth/recovery-mail');
    await email.fill(' ada@example.org ');
    await send.click();
    await held.asked;
    await expect.element(send).toHaveAttribute('aria-busy', 'true');
    acceptCalls('POST /api/auth/recovery-mail');
    held.release();
    // The server behind these tests sends no mail.
    await expect.element(page.getByRole('alert')).toHaveTextContent('This server sends no mail.');
    await send.click();
    await expect.element(sent).toHaveFocus();
    await expect
      .element(page.getByText('If there is an account whose confirmed email is ada@example.org, a link is on its way.'))
      .toBeVisible();
    expect(await findIssuesAtEverySize('sent')).toEqual([]);
    await page.getByRole('button', { name: 'Change the email' }).click();
    await expect.element(email).toBeVisible();
  });

  it('says how long to wait after too many tries, and keeps what was typed', { tags: ['mail.screens.6'] }, async () => {
    const headers = { 'retry-after': '700' };
    handleCalls('POST /api/auth/recovery-mail', () =>
      Response.json({ message: 'Too many.' }, { status: 429, headers }),
    );
    await email.fill('ada@example.org');
    await send.click();
    await expect
      .element(page.getByRole('alert'))
      .toHaveTextContent('Too many attempts. Please wait 12 minutes, then try again.');
    await expect.element(email).toHaveValue('ada@example.org');
    expect(await findIssuesAtEverySize('too many')).toEqual([]);
  });

  it('says that the connection broke, and can be sent again', { tags: ['mail.screens.6'] }, async () => {
    failCalls('POST /api/auth/recovery-mail', 1);
    await email.fill('ada@example.org');
    await send.click();
    await expect.element(page.getByRole('alert').getByText('We could not reach our album')).toBeVisible();
    acceptCalls('POST /api/auth/recovery-mail');
    await send.click();
    await expect.element(sent).toBeVisible();
  });
});
