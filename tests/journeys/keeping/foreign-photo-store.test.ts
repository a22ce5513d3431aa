import { describe, expect, it } from 'vitest';
import { depsOf } from '../../support/server-deps.ts';
import { useCouple } from '../../support/use-app.ts';

describe('the part about safekeeping', () => {
  const us = useCouple();

  it('shows a warning while the photo store is another one', { tags: ['durability.store.1'] }, async () => {
    const page = await us.open();
    await page.goto('/settings');
    const ours = page.getByRole('region', { name: 'Safekeeping' });
    await ours.getByText('Every photograph is intact').waitFor();
    expect(await ours.getByText('No photograph can be saved').count()).toBe(0);
    const { files } = await depsOf(us.app);
    await files.writeLabel(JSON.stringify({ id: 'another database', sweeps: 0 }));
    await page.reload();
    await ours.getByText('No photograph can be saved').waitFor();
    await ours.getByText('so it takes no new photographs and deletes none').waitFor();
  });
});
