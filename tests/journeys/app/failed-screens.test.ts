import { describe, expect, it } from 'vitest';
import { gotoLive, holdRequests, letReactRender } from '../../support/browser.ts';
import { registerCouple } from '../../support/client.ts';
import { addIdea, planDate, startDate } from '../../support/factories.ts';
import { useApp } from '../../support/use-app.ts';

describe('a screen that could not be loaded', () => {
  const here = useApp();

  it.each([
    {
      screen: 'a list',
      path: () => '/date-ideas',
      call: '**/api/DateIdeas/active',
      failed: 'Failed to load date ideas. Please try again.',
      loaded: 'While she reads the error',
    },
    {
      screen: 'a page of numbers',
      path: () => '/stats',
      call: '**/api/Stats/records',
      failed: 'Failed to load our beautiful statistics. Please try again.',
      loaded: 'Fun Facts',
    },
    {
      screen: 'a form',
      path: (id: string) => `/date-ideas/${id}/edit`,
      call: '**/api/DateIdeas/*-*',
      failed: 'Failed to load date idea details',
      loaded: 'Save Changes',
    },
  ])(
    'keeps its error and its button while a change by the partner fetches it again: $screen',
    { tags: ['wire.live.6'] },
    async ({ path, call, failed, loaded }) => {
      const { ada, ben } = await registerCouple(here.app);
      const { id } = await addIdea(ben);
      const page = await here.openAs(ada);
      await page.route(call, (route) => route.fulfill({ status: 500 }));
      await gotoLive(page, path(id));
      const error = page.getByRole('alert').getByText(failed);
      const again = page.getByRole('button', { name: 'Try Again' });
      await error.waitFor();
      await page.unroute(call);
      const answer = await holdRequests(page, call);

      const asked = page.waitForRequest(call);
      await addIdea(ben, { title: 'While she reads the error' });
      await asked;
      await letReactRender(page);
      expect(await error.isVisible()).toBe(true);
      await again.click();
      await error.waitFor({ state: 'detached' });
      answer();
      await page.getByText(loaded).first().waitFor();
    },
  );

  it('loads in another order, although the last order failed just as often', { tags: ['wire.live.6'] }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await here.openAs(ada);
    const call = '**/api/Memories?**';
    await page.goto('/date-ideas');
    await page.route(call, (route) => route.fulfill({ status: 500 }));
    await page.getByRole('link', { name: 'Memories', exact: true }).click();
    const error = page.getByText('Failed to load memories. Please try again.');
    await error.waitFor();
    const order = page.getByLabel('Sort');
    const first = await order.inputValue();
    const failedAgain = page.waitForResponse(call);
    await order.selectOption('date-asc');
    await failedAgain;
    await error.waitFor();
    await page.unroute(call);
    const answer = await holdRequests(page, call);
    const asked = page.waitForRequest(call);
    await order.selectOption(first);
    await asked;
    await letReactRender(page);
    expect(await error.count()).toBe(0);
    answer();
    await page.getByRole('link', { name: 'Upload Our First Memory' }).waitFor();
  });

  it.each([
    { screen: 'its details', to: '' },
    { screen: 'date mode', to: '/now' },
  ])(
    'shows nothing of a deleted date while it is fetched again: $screen',
    { tags: ['wire.live.7'] },
    async ({ to }) => {
      const { ada, ben } = await registerCouple(here.app);
      const { id } = await startDate(ada, { idea: { title: 'Lantern walk' } });
      const page = await here.openAs(ada);
      const call = `**/api/PlannedDates/${id}`;
      await gotoLive(page, `/planned-dates/${id}${to}`);
      const title = page.getByRole('heading', { level: 1, name: 'Lantern walk' });
      await title.waitFor();
      await page.route(call, (route) => route.fulfill({ status: 404, json: { message: 'Planned date not found' } }));
      await addIdea(ben);
      await page.getByText('Date not found.').waitFor();
      await page.unroute(call);
      const answer = await holdRequests(page, call);
      const asked = page.waitForRequest(call);
      await page.getByRole('button', { name: 'Try Again' }).click();
      await asked;
      await page.getByText('Date not found.').waitFor({ state: 'detached' });
      expect(await title.count()).toBe(0);
      answer();
      await title.waitFor();
    },
  );

  it('loads as soon as the network is back, without an error in between', { tags: ['wire.live.6'] }, async () => {
    const { ada } = await registerCouple(here.app);
    const { id } = await planDate(ada, { idea: { title: 'Never opened here' } });
    const page = await here.openAs(ada);
    const seen = await planDate(ada, { idea: { title: 'Opened here' } });
    await gotoLive(page, `/planned-dates/${seen.id}`);
    await page.getByRole('heading', { level: 1, name: 'Opened here' }).waitFor();
    await page.context().setOffline(true);
    await page.evaluate((path) => history.pushState(null, '', path), `/planned-dates/${id}`);
    await page.getByText('Not saved on this device').waitFor();
    const call = `**/api/PlannedDates/${id}`;
    const answer = await holdRequests(page, call);
    const asked = page.waitForRequest(call);
    await page.context().setOffline(false);
    await asked;
    await letReactRender(page);
    expect(await page.getByRole('alert').count()).toBe(0);
    answer();
    await page.getByRole('heading', { level: 1, name: 'Never opened here' }).waitFor();
  });
});
