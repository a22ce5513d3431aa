import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { untilControlled } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { signIn } from '../sign-in.ts';
import { makePhotoFile } from '../upload-page.ts';

/** Shares something with the installed app, as the device's share menu does. */
async function share(page: Page, fields: Readonly<Record<string, string>>, photographs: readonly string[] = []) {
  const files = await Promise.all(photographs.map((name, n) => makePhotoFile(name, n)));
  await page.evaluate((values) => {
    const form = document.createElement('form');
    form.method = 'POST';
    form.enctype = 'multipart/form-data';
    form.action = '/memories/upload';
    form.id = 'share';
    form.innerHTML = '<input type="file" name="photos" multiple>';
    for (const [name, value] of Object.entries(values)) {
      const field = document.createElement('textarea');
      Object.assign(field, { name, value });
      form.append(field);
    }
    document.body.append(form);
  }, fields);
  await page.locator('#share input').setInputFiles(files);
  await Promise.all([
    page.waitForEvent('framenavigated'),
    page.evaluate(() => (document.getElementById('share') as HTMLFormElement).submit()),
  ]);
}

describe('a text or a link shared from another app', () => {
  const us = useCouple();
  const url = 'https://thai.example.org/menu?for=2';

  const open = async () => {
    const page = await us.open({ serviceWorkers: 'allow' });
    await page.goto('/dashboard');
    await untilControlled(page);
    return page;
  };
  const expectForm = async (page: Page, title: string, description: string) => {
    await page.waitForURL((address) => address.pathname === '/date-ideas/add' && address.hash === '');
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe(title);
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe(description);
  };

  it('fills in the form of a new idea, which can be saved, and no request holds it', {
    tags: ['ideas.form.16'],
  }, async () => {
    const page = await open();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await share(page, { title: 'That Thai place', text: '', url });
    await expectForm(page, 'That Thai place', url);
    expect(addresses.filter((address) => decodeURIComponent(address.split('#')[0] ?? '').includes('Thai'))).toEqual([]);
    await page.getByLabel('Category').selectOption('Food');
    await page.getByRole('button', { name: 'Save Idea' }).click();
    const card = page.getByRole('article').filter({ hasText: 'That Thai place' });
    await card.getByRole('link', { name: url }).waitFor();
    expect(await card.getByRole('link', { name: url }).getAttribute('href')).toBe(url);
  });

  it('takes its title from the text, or from the host of a link', { tags: ['ideas.form.16'] }, async () => {
    const page = await open();
    await share(page, { title: '', text: `Try this\n${url}`, url: '' });
    await expectForm(page, 'Try this', url);
    page.on('dialog', (dialog) => void dialog.accept());
    // The form holds the share before, which was not saved.
    const answer = (name: string) => page.getByRole('alertdialog').getByRole('button', { name }).click();
    await share(page, { title: '', text: url, url: '' });
    await answer('Keep');
    await expectForm(page, 'Try this', url);
    await share(page, { title: '', text: url, url: '' });
    await answer('Replace');
    await expectForm(page, 'thai.example.org', url);
  });

  it('counts for nothing beside photographs', { tags: ['ideas.form.16'] }, async () => {
    const page = await open();
    await share(page, { title: 'That Thai place', text: 'Look', url }, ['the weir.jpg']);
    await page.getByText('1 photo selected').waitFor();
    expect(new URL(page.url()).pathname).toBe('/memories/upload');
  });

  it('fills in the form after somebody has signed in, and waits for that in no address', {
    tags: ['ideas.form.17'],
  }, async () => {
    const page = await us.openSignedOut({ serviceWorkers: 'allow', reducedMotion: 'reduce' });
    await page.goto('/auth/login');
    await untilControlled(page);
    await share(page, { title: 'That Thai place', text: '', url });
    await page.waitForURL(/returnUrl=/);
    expect(page.url()).not.toContain('Thai');
    await signIn(page, us.ada);
    await expectForm(page, 'That Thai place', url);
  });
});
