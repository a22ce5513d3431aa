import { expect, it } from 'vitest';
import { render } from 'vitest-browser-react';
import { UsedSpace } from './used-space.tsx';

const GB = 1024 ** 3;

it('the settings say how much of the quota is used, and nothing without one', {
  tags: ['uploads.quota.6'],
}, async () => {
  const line = await render(
    <ul>
      <UsedSpace usedBytes={3.2 * GB} quotaBytes={20 * GB} />
    </ul>,
  );
  await expect.element(line.getByText('Photographs: 3.2 GB of 20.0 GB')).toBeVisible();
  await line.rerender(
    <ul>
      <UsedSpace usedBytes={5 * GB} quotaBytes={5 * GB} />
    </ul>,
  );
  await expect.element(line.getByText('Our space is full.')).toBeVisible();
  await line.rerender(
    <ul>
      <UsedSpace usedBytes={5 * GB} quotaBytes={null} />
    </ul>,
  );
  expect(line.container.textContent).toBe('');
});
