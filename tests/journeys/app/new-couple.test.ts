import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findPageIssues } from '../../support/accessibility.ts';
import type { Partner } from '../../support/partner.ts';
import { registerAda } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { PHONE } from '../../support/use-chromium.ts';

/** What a new couple does in its first five minutes, by what the screens offer and no address but the first. */
const invitation = (page: Page) => page.getByRole('region', { name: 'Invite Your Partner' }).getByRole('link');

describe('an app without a couple', () => {
  const here = useApp({ env: { REGISTRATION: 'first' } });

  it('leads from registering to inviting, an idea and a first photograph', {
    tags: ['home.dashboard.10'],
  }, async () => {
    const page = await here.openSignedOut(PHONE);
    await page.goto('/');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Email').fill('ada@example.org');
    await page.getByLabel('Password', { exact: true }).fill('a quiet evening at home');
    await page.getByRole('button', { name: 'Create our space' }).click();
    await invitation(page).waitFor();
    await page.getByRole('region', { name: 'Plan Our Next Date' }).getByRole('link', { name: 'Add an idea' }).waitFor();
    await page.getByRole('region', { name: 'Recent Memories' }).getByRole('link', { name: 'Upload Memory' }).waitFor();
    expect(await findPageIssues(page, 'the first screen')).toEqual([]);
  });
});

describe('a user who has just registered', () => {
  const here = useApp();
  let ada: Partner;
  beforeAll(async () => {
    ada = await registerAda(here.app);
  });

  it('shows on a phone, without scrolling, what a couple without a date can begin with', {
    tags: ['home.dashboard.22'],
  }, async () => {
    const page = await here.openAs(ada, { ...PHONE, viewport: { width: 360, height: 740 } });
    await page.goto('/');
    await invitation(page).waitFor();
    for (const name of ['Plan a date', 'Add a Past Date', 'Bring your photographs']) {
      const lowerEdge = async () => {
        const box = await page.getByRole('link', { name, exact: true }).boundingBox();
        return (box?.y ?? Number.NaN) + (box?.height ?? 0);
      };
      await expect.poll(lowerEdge, { message: name }).toBeLessThanOrEqual(740);
    }
  });

  it('reads beside an invitation from this computer that no phone can open it', {
    tags: ['home.dashboard.10'],
  }, async () => {
    const page = await here.openAs(ada, PHONE);
    await page.goto('/');
    await invitation(page).click();
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByText('This link opens on this computer only.').waitFor();
  });

  it('is asked to invite until the partner joins by the link', { tags: ['home.dashboard.10'] }, async () => {
    const adas = await here.openAs(ada, PHONE);
    await adas.goto('/');
    await invitation(adas).waitFor();
    const link = (await ada.call('POST /api/auth/invitations')).body.url;

    const bens = await here.openSignedOut({ name: 'Ben' });
    await bens.goto(new URL(link).pathname);
    await bens.getByLabel('Your name').fill('Ben');
    await bens.getByLabel('Email').fill('ben@example.org');
    await bens.getByLabel('Password', { exact: true }).fill('the other half of it');
    await bens.getByRole('button', { name: 'Join' }).click();
    await bens.getByRole('link', { name: 'Add an idea' }).waitFor();
    await invitation(bens).waitFor({ state: 'detached' });
    await invitation(adas).waitFor({ state: 'detached' });
  });
});
