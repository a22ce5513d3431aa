import { describe, expect, it } from 'vitest';
import { postgresAndS3 } from '../../support/engines.ts';
import { addIdea } from '../../support/factories.ts';
import { countRequests } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { useApp } from '../../support/use-app.ts';
import { gotoLiveAndLoaded } from '../goto-live-and-loaded.ts';

describe('what a page fetches', () => {
  // The first stream of a couple on a node begins with `resync`.
  const here = useApp({ engine: postgresAndS3 });

  it('is fetched once when it opens, and once after each change of its own', { tags: ['wire.live.10'] }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    await addIdea(ada, { title: 'Here already' });
    const page = await here.openAs(ben);
    const fetched = countRequests(page, '/api/DateIdeas/active');
    // The page asks for its user in answer to `resync`.
    const resynced = page.waitForRequest((request) => request.url().endsWith('/api/auth/session'));
    await gotoLiveAndLoaded(page, '/date-ideas');
    await resynced;
    await page.getByText('Here already').waitFor();
    expect(fetched()).toBe(1);

    await page.getByRole('button', { name: 'Heart', exact: true }).click();
    await expect.poll(fetched).toBe(2);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No date ideas yet!').waitFor();
    await expect.poll(fetched).toBe(3);
    // The stream announces the changes in order.
    await addIdea(ada, { title: 'After that' });
    await page.getByText('After that').waitFor();
    expect(fetched()).toBe(4);
  });
});
