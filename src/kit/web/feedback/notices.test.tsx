import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Button } from '../forms/button.tsx';
import { NotifyProvider, useNotify } from './notices.tsx';

function Notifier() {
  const notify = useNotify();
  return <Button onClick={() => notify.status('Date deleted', { label: 'Undo', run: () => undefined })}>Delete</Button>;
}

function Linker() {
  const notify = useNotify();
  return (
    <Button onClick={() => notify.status('A date added', { label: 'See our story', href: '/memories' })}>Add</Button>
  );
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

it('keeps a notice as long as the pointer or the focus is on it', async () => {
  const page = await render(
    <NotifyProvider>
      <Notifier />
    </NotifyProvider>,
  );
  const remove = page.getByRole('button', { name: 'Delete' });
  await remove.click();
  const notice = page.getByText('Date deleted');
  await userEvent.hover(notice);
  vi.advanceTimersByTime(60_000);
  await expect.element(notice).toBeVisible();
  const undo = page.getByRole('button', { name: 'Undo' });
  undo.element().focus();
  await userEvent.unhover(notice);
  vi.advanceTimersByTime(60_000);
  await expect.element(notice).toBeVisible();
  remove.element().focus();
  // Its time begins again once React has seen that it is let go.
  await vi.waitFor(() => {
    vi.advanceTimersByTime(10_000);
    expect(notice.query()).toBeNull();
  });
});

it('writes its link as legibly as its text', { tags: ['screens.controls.3'] }, async () => {
  const page = await render(
    <NotifyProvider>
      <Linker />
    </NotifyProvider>,
  );
  await page.getByRole('button', { name: 'Add' }).click();
  const link = page.getByRole('link', { name: 'See our story' });
  const color = (element: Element) => getComputedStyle(element).color;
  await expect.poll(() => color(link.element())).toBe(color(page.getByText('A date added').element()));
  await userEvent.hover(link);
  await expect.poll(() => color(link.element())).toBe(color(page.getByText('A date added').element()));
});
