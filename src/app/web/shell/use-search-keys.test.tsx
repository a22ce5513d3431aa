import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { registerUs, show } from '../../../../tests/support/screens.tsx';
import { paths } from '../../../paths.ts';
import { screenAt } from '../routing/routes.ts';

it('finds what is typed right after the key of the search', { tags: ['search.6'] }, async () => {
  const { ada } = await registerUs();
  await show(paths.ideas, ada);
  await expect.element(page.getByRole('heading', { name: 'Date Ideas', level: 1 })).toBeVisible();
  // The search has not been opened, and its code is there.
  await expect.poll(() => screenAt(paths.search)?.page).toBeTruthy();
  await userEvent.keyboard('/soup');
  await expect.element(page.getByRole('searchbox', { name: 'Search our story' })).toHaveValue('soup');
});
