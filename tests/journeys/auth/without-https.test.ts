import { expect, it } from 'vitest';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { DESKTOP } from '../../support/use-chromium.ts';

const HOUR = 3_600_000;
/** A name for this machine. Unlike its address, it needs HTTPS to be a secure context. */
const HOST = 'album.test';

const here = useApp({ args: [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`] });

it('opens no photograph by its address after signing out, on a server without HTTPS', {
  tags: ['accounts.signout.8'],
}, async () => {
  const { ada } = await registerCouple(here.app);
  const date = await completeDate(ada, { at: Date.now() - 3 * HOUR, minutes: 60 });
  const { imageUrl } = await addPhoto(ada, date.id);
  const url = new URL(here.app.url);
  url.hostname = HOST;
  const page = await here.openAs(ada.at({ url: url.origin }), DESKTOP);
  await page.goto('/settings');
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  expect(await page.evaluate(async (path) => (await fetch(path)).status, imageUrl)).toBe(200);
  const signedOut = page.waitForResponse('**/api/auth/logout');
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
  await signedOut;
  await page.getByLabel('Email').waitFor();
  const other = await page.context().newPage();
  expect((await other.goto(imageUrl))?.status()).toBe(401);
});
