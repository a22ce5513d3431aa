import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  acceptCalls,
  failCalls,
  handleCalls,
  refuseCalls,
  saysItSendsMail,
} from '../../../../tests/support/handle-calls.ts';
import { registerAda } from '../../../../tests/support/register-couple.ts';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { type Couple, registerUs, show } from '../../../../tests/support/screens.tsx';

const names = page.getByRole('region', { name: 'Our names' });
const partner = page.getByRole('region', { name: 'Partner' });
const again = page.getByRole('button', { name: 'Send the link again' });
const password = names.getByLabelText('Current password');
const save = page.getByRole('button', { name: 'Save Names' });

let us: Couple;
beforeAll(async () => {
  us = await registerUs();
});
beforeEach(() => page.viewport(1280, 800));

describe('without mail, the settings', () => {
  it('have nothing of it', { tags: ['mail.screens.2'] }, async () => {
    const eve = await registerAda({ url: location.origin }, `eve-${Date.now()}@example.org`);
    await show('/settings', eve);
    await page.getByRole('button', { name: 'Invite' }).click();
    await expect.element(page.getByLabelText('Invitation link')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Send by e-mail' })).not.toBeInTheDocument();
    await expect.element(again).not.toBeInTheDocument();
    await expect.element(names.getByText(/confirmed/)).not.toBeInTheDocument();
    await names.getByLabelText('Email').fill('eve-of-another-name@example.org');
    await expect.element(password).not.toBeInTheDocument();
  });
});

describe('the settings', () => {
  beforeEach(() => void saysItSendsMail());

  it('send the link again that confirms the email, and say so', { tags: ['mail.screens.7'] }, async () => {
    await show('/settings', us.ada);
    await expect.element(names.getByText('Your email is not confirmed yet.')).toBeVisible();
    failCalls('POST /api/auth/email-mail', 1);
    await again.click();
    await expect.element(names.getByRole('alert').getByText('We could not reach our album')).toBeVisible();
    acceptCalls('POST /api/auth/email-mail');
    await again.click();
    await expect.element(names.getByRole('status').getByText('A new link is on its way')).toBeVisible();
    expect(await findIssuesAtEverySize('sent again')).toEqual([]);
  });

  it('say what the server says after too many mails', { tags: ['mail.screens.6'] }, async () => {
    const [message, headers] = ['Too many mails for one day. Please try again tomorrow.', { 'retry-after': '70000' }];
    handleCalls('POST /api/auth/email-mail', () => Response.json({ message }, { status: 429, headers }));
    await show('/settings', us.ada);
    await again.click();
    await expect.element(names.getByRole('alert').getByText(message)).toBeVisible();
  });

  it('say that the email is confirmed, also if that happened on another device', {
    tags: ['mail.screens.7'],
  }, async () => {
    await show('/settings', us.ada);
    handleCalls('POST /api/auth/email-mail', () => {
      handleCalls('GET /api/auth/session', async (ask) => {
        const answer = (await (await ask()).json()) as { user: object };
        return Response.json({ ...answer, user: { ...answer.user, emailVerified: true } });
      });
      return Response.json({ message: 'This email is already confirmed.' }, { status: 409 });
    });
    await again.click();
    await expect.element(names.getByText(`${us.ada.user.email} is confirmed.`)).toBeVisible();
    await expect.element(again).not.toBeInTheDocument();
    expect(await findIssuesAtEverySize('confirmed')).toEqual([]);
  });

  it('ask for the password only to change the email', { tags: ['mail.screens.8'] }, async () => {
    await show('/settings', us.ben);
    await expect.element(again).toBeVisible();
    await names.getByLabelText('Your name').fill('Ben of the hills');
    await expect.element(password).not.toBeInTheDocument();
    await names.getByLabelText('Email').fill(us.ben.user.email.toUpperCase());
    await expect.element(password).not.toBeInTheDocument();
    await names.getByLabelText('Email').fill(`new-${us.ben.user.email}`);
    await expect.element(password).toBeVisible();
    expect(await findIssuesAtEverySize('another email')).toEqual([]);
  });

  it('keep the email beside a wrong password, until the right one is given', {
    tags: ['mail.screens.8'],
  }, async () => {
    const { ben } = await registerUs();
    await show('/settings', ben);
    await expect.element(again).toBeVisible();
    await names.getByLabelText('Email').fill(`new-${ben.user.email}`);
    handleCalls(
      'PUT /api/auth/profile',
      () =>
        Response.json(
          {
            message: 'This is not your current password.',
            errors: [{ field: 'currentPassword', message: 'This is not your current password.' }],
          },
          { status: 400 },
        ),
      1,
    );
    await password.fill('not the password');
    await save.click();
    await expect.element(names.getByText('This is not your current password.')).toBeVisible();
    await expect.element(password).toHaveFocus();
    await expect.element(names.getByLabelText('Email')).toHaveValue(`new-${ben.user.email}`);
    await password.fill('the right password');
    await save.click();
    await expect.element(page.getByText('Our names are saved')).toBeVisible();
    await expect.element(password).not.toBeInTheDocument();
  });

  it('lead to the provider to change the email of an account without a password', {
    tags: ['mail.screens.8'],
  }, async () => {
    handleCalls('GET /api/auth/status', async (ask) => {
      const status = (await (await ask()).json()) as object;
      return Response.json({ ...status, mail: true, oidc: { name: 'Our House' } });
    });
    const user = { ...us.ben.user, signIn: { password: false, passkeys: 0, oidc: true } };
    handleCalls('GET /api/auth/session', () => Response.json({ user, expiresAt: '2099-01-01T00:00:00.000Z' }));
    await show('/settings', { token: us.ben.token, user });
    await names.getByLabelText('Your name').fill('Ben of the valley');
    await expect.element(save).toBeEnabled();
    await names.getByLabelText('Email').fill(`again-${us.ben.user.email}`);
    await expect.element(save).toBeDisabled();
    await expect.element(names.getByRole('button', { name: 'Confirm with Our House' })).toBeVisible();
    await expect.element(password).not.toBeInTheDocument();
    // The server behind these tests has no provider.
    await names.getByRole('button', { name: 'Confirm with Our House' }).click();
    await expect.element(names.getByRole('alert')).toBeVisible();
  });

  it('send the invitation by mail, and say so', { tags: ['mail.screens.9'] }, async () => {
    const eve = await registerAda({ url: location.origin }, `eve-${Date.now()}@example.org`);
    await show('/settings', eve);
    await page.getByRole('button', { name: 'Invite' }).click();
    const address = partner.getByLabelText('Your partner’s email');
    const send = partner.getByRole('button', { name: 'Send by e-mail' });
    await send.click();
    await expect.element(partner.getByText('Email is required')).toBeVisible();
    expect(await findIssuesAtEverySize('an invitation by mail')).toEqual([]);
    await address.fill('adam@example.org');
    refuseCalls('POST /api/auth/invitations/*/mail', 404, 'This invitation is invalid, used or expired.', 1);
    await send.click();
    await expect.element(partner.getByRole('alert')).toHaveTextContent('This invitation is invalid, used or expired.');
    await expect.element(address).toHaveValue('adam@example.org');
    acceptCalls('POST /api/auth/invitations/*/mail');
    await send.click();
    await expect
      .element(partner.getByRole('status'))
      .toHaveTextContent('The invitation is on its way to adam@example.org.');
    await expect.element(address).toHaveValue('');
  });
});
