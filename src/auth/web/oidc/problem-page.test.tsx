import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { showSignedOut } from '../../../../tests/support/screens.tsx';

it('a way back that our database has failed says so, and leads on', { tags: ['openid.signin.4'] }, async () => {
  await showSignedOut('/auth/oidc?problem=unavailable');
  await expect.element(page.getByRole('heading', { name: 'Please try again' })).toBeVisible();
  await expect.element(page.getByRole('alert').getByText('Our album is out of reach for a moment.')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Sign in' })).toBeVisible();
  expect(await findIssuesAtEverySize('unavailable')).toEqual([]);
});
