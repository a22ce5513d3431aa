import { expect, it } from 'vitest';
import { findAccessibilityIssues } from '../../support/accessibility.ts';
import { PHONE } from '../../support/browser.ts';
import { useApp } from '../../support/use-app.ts';

/** What a new couple does in its first five minutes, by what the screens offer and no address but the first. */
const here = useApp({ env: { REGISTRATION: 'first' } });

it('leads from registering to a shared space, and offers what to begin with', {
  tags: ['home.dashboard.10', 'home.dashboard.22'],
}, async () => {
  const ada = await here.openSignedOut({ name: 'Ada', ...PHONE });
  await ada.goto('/');
  await ada.getByLabel('Your name').fill('Ada');
  await ada.getByLabel('Email').fill('ada@example.org');
  await ada.getByLabel('Password', { exact: true }).fill('a quiet evening at home');
  await ada.getByRole('button', { name: 'Create our space' }).click();

  // The first screen offers the three beginnings.
  const invite = ada.getByRole('region', { name: 'Invite Your Partner' }).getByRole('link');
  await invite.waitFor();
  await ada.getByRole('region', { name: 'Plan Our Next Date' }).getByRole('link', { name: 'Add an idea' }).waitFor();
  await ada.getByRole('region', { name: 'Recent Memories' }).getByRole('link', { name: 'Upload Memory' }).waitFor();
  expect(await findAccessibilityIssues(ada, 'the first screen')).toEqual([]);

  // What a couple without a date can begin with is on a phone's first screen.
  await ada.setViewportSize({ width: 360, height: 740 });
  for (const name of ['Plan a date', 'Add a Past Date', 'Bring your photographs']) {
    const step = await ada.getByRole('link', { name, exact: true }).boundingBox();
    expect((step?.y ?? Number.NaN) + (step?.height ?? 0), name).toBeLessThanOrEqual(740);
  }

  // The invitation says that its address can't be opened on a phone.
  await invite.click();
  await ada.getByRole('button', { name: 'Invite' }).click();
  const link = await ada.getByLabel('Invitation link').inputValue();
  await ada.getByText('This link opens on this computer only.').waitFor();
  await ada.getByRole('link', { name: 'Our Love Story' }).click();
  await invite.waitFor();

  // The partner joins, and the invitation is gone from her screen.
  const ben = await here.openSignedOut({ name: 'Ben' });
  await ben.goto(new URL(link).pathname);
  await ben.getByLabel('Your name').fill('Ben');
  await ben.getByLabel('Email').fill('ben@example.org');
  await ben.getByLabel('Password', { exact: true }).fill('the other half of it');
  await ben.getByRole('button', { name: 'Join' }).click();
  await ben.getByRole('link', { name: 'Add an idea' }).waitFor();
  expect(await ben.getByRole('region', { name: 'Invite Your Partner' }).count()).toBe(0);
  await invite.waitFor({ state: 'detached' });
});
