import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESKTOP } from '../support/browser.ts';
import { addIdea } from '../support/factories.ts';
import { useCouple } from '../support/use-app.ts';

const RESTORED = 'We restored what you had written.';

const description = (page: Page) => page.getByLabel('Description');

describe('the draft of a form', () => {
  const us = useCouple();

  it('that was restored twice is still an edit of the version that it began on', async () => {
    const { id, category } = await addIdea(us.ada, { title: 'A hill', description: 'With a view' });
    const page = await us.open(DESKTOP);
    await page.goto(`/date-ideas/${id}/edit`);
    await description(page).fill('With a bench');
    const body = { title: 'A hill', description: 'With a tower', category, isActive: true };
    await us.ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body });
    for (let time = 0; time < 2; time += 1) {
      await page.reload();
      await page.getByText(RESTORED).waitFor();
      await expect.poll(() => description(page).inputValue()).toBe('With a bench');
    }
    await page.getByRole('button', { name: 'Save Changes' }).click();
    const theirs = page.getByRole('region', { name: 'Their version' });
    await theirs.getByText('With a tower').waitFor();
    await theirs.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => description(page).inputValue()).toBe('With a tower');
    // From now on it is an edit of their version, in a draft too.
    await description(page).fill('With a tower and a bench');
    await page.reload();
    await page.getByText(RESTORED).waitFor();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL('**/date-ideas?updated=true');
    const { body: saved } = await us.ada.call('GET /api/DateIdeas/{id}', { params: { id } });
    expect(saved.description).toBe('With a tower and a bench');
  });
});
