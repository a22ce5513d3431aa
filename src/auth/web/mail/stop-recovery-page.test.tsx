import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { acceptCalls, failCalls, handleCalls } from '../../../../tests/support/handle-calls.ts';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { address, showSignedOut } from '../../../../tests/support/screens.tsx';

const heading = (name: string) => page.getByRole('heading', { name });
const stop = page.getByRole('button', { name: 'Stop' });

beforeEach(() => page.viewport(1280, 800));

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

  it('says that there is nothing to stop by a code that does not work (any more)', {
    tags: ['mail.screens.5'],
  }, async () => {
    await showSignedOut('/auth/recovery/stop/unknown-code');
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
