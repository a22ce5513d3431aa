import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea, planDate, startDate } from '../../../../tests/support/factories.ts';
import { holdCalls, refuseCalls, repairAtClick, setOffline } from '../../../../tests/support/handle-calls.ts';
import { type Couple, registerUs, show } from '../../../../tests/support/screens.tsx';

const again = page.getByRole('button', { name: 'Try Again' });

let us: Couple;
beforeEach(async () => {
  await page.viewport(1280, 800);
  us = await registerUs();
});

describe('a screen that could not be loaded', () => {
  it.each([
    {
      screen: 'a list',
      path: () => '/date-ideas',
      call: 'GET /api/DateIdeas/active',
      failed: 'Failed to load date ideas. Please try again.',
      loaded: 'While she reads the error',
    },
    {
      screen: 'a page of numbers',
      path: () => '/stats',
      call: 'GET /api/Stats/records',
      failed: 'Failed to load our beautiful statistics. Please try again.',
      loaded: 'Fun Facts',
    },
    {
      screen: 'a form',
      path: (id: string) => `/date-ideas/${id}/edit`,
      call: 'GET /api/DateIdeas/*-*',
      failed: 'Failed to load date idea details',
      loaded: 'Save Changes',
    },
  ] as const)(
    'keeps its error and its button while a change by the partner fetches it again: $screen',
    { tags: ['wire.live.6'] },
    async ({ path, call, failed, loaded }) => {
      const { id } = await addIdea(us.ben);
      const repair = refuseCalls(call, 500);
      await show(path(id), us.ada);
      const error = page.getByRole('alert').getByText(failed);
      await expect.element(error).toBeVisible();
      const held = holdCalls(call);
      repair();
      await addIdea(us.ben, { title: 'While she reads the error' });
      await held.asked;
      await expect.element(error).toBeVisible();
      await again.click();
      await expect.element(error).not.toBeInTheDocument();
      held.release();
      await expect.element(page.getByText(loaded).first()).toBeVisible();
    },
  );

  it('loads in another order, although the last order failed just as often', { tags: ['wire.live.6'] }, async () => {
    const repair = refuseCalls('GET /api/Memories', 500);
    await show('/memories', us.ada);
    const error = page.getByText('Failed to load memories. Please try again.');
    await expect.element(error).toBeVisible();
    const order = page.getByLabelText('Sort');
    const first = (order.element() as HTMLSelectElement).value;
    await order.selectOptions('date-asc');
    await expect.element(error).toBeVisible();
    const held = holdCalls('GET /api/Memories');
    repair();
    await order.selectOptions(first);
    await held.asked;
    await expect.element(error).not.toBeInTheDocument();
    held.release();
    await expect.element(page.getByRole('link', { name: 'Upload Our First Memory' })).toBeVisible();
  });

  it.each([
    { screen: 'its details', to: '' },
    { screen: 'date mode', to: '/now' },
  ])(
    'shows nothing of a deleted date while it is fetched again: $screen',
    { tags: ['wire.live.7'] },
    async ({ to }) => {
      const { id } = await startDate(us.ada, { idea: { title: 'Lantern walk' } });
      await show(`/planned-dates/${id}${to}`, us.ada);
      const title = page.getByRole('heading', { level: 1, name: 'Lantern walk' });
      await expect.element(title).toBeVisible();
      const gone = page.getByText('Date not found.');
      const repair = refuseCalls(`GET /api/PlannedDates/${id}`, 404, 'Planned date not found');
      await addIdea(us.ben);
      await expect.element(gone).toBeVisible();
      const held = holdCalls(`GET /api/PlannedDates/${id}`);
      repairAtClick(repair);
      await again.click();
      await held.asked;
      await expect.element(gone).not.toBeInTheDocument();
      expect(title.elements()).toEqual([]);
      held.release();
      await expect.element(title).toBeVisible();
    },
  );

  it('loads as soon as the network is back, without an error in between', { tags: ['wire.live.6'] }, async () => {
    const unseen = await planDate(us.ada, { idea: { title: 'Never opened here' } });
    const seen = await planDate(us.ada, { idea: { title: 'Opened here' } });
    await show(`/planned-dates/${seen.id}`, us.ada);
    await expect.element(page.getByRole('heading', { level: 1, name: 'Opened here' })).toBeVisible();
    setOffline(true);
    history.pushState(null, '', `/planned-dates/${unseen.id}`);
    await expect.element(page.getByText('Not saved on this device')).toBeVisible();
    const held = holdCalls(`GET /api/PlannedDates/${unseen.id}`);
    setOffline(false);
    await held.asked;
    expect(page.getByRole('alert').elements()).toEqual([]);
    held.release();
    await expect.element(page.getByRole('heading', { level: 1, name: 'Never opened here' })).toBeVisible();
  });
});
