import { expect, it } from 'vitest';
import { describeOnPostgres } from '../../support/engines.ts';
import { makeJpeg } from '../../support/images.ts';
import { useApp } from '../../support/use-app.ts';
import { succeeded } from '../upload-page.ts';

/**
 * The main journey of a couple: one registers and invites the other, saves an idea, plans a date from it, starts and
 * completes it, and uploads photographs, which both see. The other journeys are on SQLite and a folder.
 */
describeOnPostgres('our evening', (engine) => {
  const here = useApp({ engine, env: { REGISTRATION: 'first' } });

  it('goes from an idea to photographs that both see', { tags: ['screens.controls.2'] }, async () => {
    const ada = await here.openSignedOut({ name: 'Ada', viewport: { width: 390, height: 844 } });
    const ben = await here.openSignedOut({ name: 'Ben' });

    // Nobody has registered, so the first visitor is asked to create the space.
    await ada.goto('/');
    await ada.getByLabel('Your name').fill('Ada');
    await ada.getByLabel('Email').fill('ada@example.org');
    await ada.getByLabel('Password', { exact: true }).fill('a quiet evening at home');
    await ada.getByRole('button', { name: 'Create our space' }).click();
    await ada.waitForURL('**/dashboard');

    // She invites him, and he follows the link.
    await ada.goto('/settings');
    await ada.getByRole('button', { name: 'Invite' }).click();
    const link = ada.getByRole('textbox', { name: /link/i }).first();
    await link.waitFor();
    const invitation = await link.inputValue();
    await ben.goto(new URL(invitation).pathname);
    await ben.getByText('Ada', { exact: false }).first().waitFor();
    await ben.getByLabel('Your name').fill('Ben');
    await ben.getByLabel('Email').fill('ben@example.org');
    await ben.getByLabel('Password', { exact: true }).fill('the other half of it');
    await ben.getByRole('button', { name: 'Join' }).click();
    await ben.waitForURL('**/dashboard');

    // Her idea appears on his screen without a reload.
    await ben.getByRole('link', { name: 'Date Ideas' }).first().click();
    await ben.getByText('No date ideas yet! Start by adding our first romantic idea.').waitFor();
    await ada.goto('/date-ideas/add');
    await ada.getByLabel('Title').fill('Lantern walk through the old town');
    await ada.getByLabel('Description').fill('One lantern each, at the weir');
    await ada.getByRole('button', { name: 'Save Idea' }).click();
    await ada.waitForURL('**/date-ideas');
    await ben.getByText('Lantern walk through the old town').waitFor();
    await ben.getByText('1 idea found').waitFor();

    // He plans it, and starts it.
    await ben
      .getByRole('link', { name: 'Plan This Date' })
      .or(ben.getByRole('button', { name: 'Plan This Date' }))
      .click();
    await ben.getByRole('button', { name: 'Today Evening' }).waitFor();
    await ben.getByLabel('Location').fill('From the cathedral to the weir');
    await ben.getByLabel('Notes').fill('Bring the blue scarf');
    await ben.getByRole('button', { name: 'Plan This Date' }).click();
    await ben.waitForURL(/\/planned-dates\/[0-9a-f-]{36}/);
    const date = new URL(ben.url()).pathname;
    await ben.getByText('Bring the blue scarf').waitFor();
    await ben.getByRole('button', { name: 'Start Date' }).click();
    await ben.getByText('In Progress', { exact: true }).first().waitFor();

    // On her phone it is in progress; she completes it.
    await ada.goto('/planned-dates');
    await ada.getByText('In Progress').first().waitFor();
    await ada
      .getByRole('link', { name: 'Complete', exact: true })
      .or(ada.getByRole('button', { name: 'Complete', exact: true }))
      .click();
    await ada.waitForURL('**/complete');
    await ada.getByRole('button', { name: 'Now' }).click();
    // It ends now, so set its start to an hour ago.
    const began = new Date(Date.now() - 3_600_000);
    await ada.getByLabel('Actual start time').fill(localInput(began));
    await ada.getByRole('button', { name: 'Complete Date' }).click();
    await ada.waitForURL((url) => url.pathname === date);
    await ben.getByText('Completed').first().waitFor();

    // She uploads two photographs with a caption; both see them in the gallery.
    await ada.goto(`/memories/upload/${date.split('/').at(-1)}`);
    await ada
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        {
          name: 'by the weir.jpg',
          mimeType: 'image/jpeg',
          buffer: await makeJpeg({ width: 1200, height: 800, seed: 1 }),
        },
        {
          name: 'lamps.jpg',
          mimeType: 'image/jpeg',
          buffer: await makeJpeg({ width: 800, height: 1200, orientation: 6, seed: 2 }),
        },
      ]);
    await ada.getByText('2 photos selected').waitFor();
    await ada.getByPlaceholder('Add a caption for this memory...').first().fill('You stopped for every lamp');
    await ada.getByRole('button', { name: 'Save 2 Memories' }).click();
    await succeeded(ada);
    await ada.waitForURL(/\/memories\?dateId=/);
    await ada.getByText('2 memories found', { exact: false }).waitFor();

    await ben.goto('/memories');
    await ben.getByText('You stopped for every lamp').first().waitFor();
    const seen = ben.locator('img[src*="/api/Memories/"]');
    await expect.poll(() => seen.count()).toBe(2);
    // Check that they are decoded and upright, on his screen too.
    await expect
      .poll(() => seen.evaluateAll((all) => all.every((img) => (img as HTMLImageElement).naturalWidth > 0)))
      .toBe(true);
  });
});

/** Formats an instant for a datetime-local field, in the zone of the journeys' browsers. */
function localInput(at: Date): string {
  return at.toLocaleString('sv-SE', { timeZone: 'Europe/Rome' }).slice(0, 16).replace(' ', 'T');
}
