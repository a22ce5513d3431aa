import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerOnce } from '../../support/answer-once.ts';
import { DESKTOP, gotoLive, holdRequests, PHONE } from '../../support/browser.ts';
import { registerCouple } from '../../support/client.ts';
import { addIdea, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

const DAY = 86_400_000;

/** The list of date ideas. */
describe('the ideas list', () => {
  // Noon of Saturday in Rome, for the server as for the page: no midnight passes while the tests run.
  const now = Date.parse('2026-11-21T11:00:00Z');
  // All ideas except the fort are created ten days before the page's date.
  let ago = 10 * DAY;
  const us = useCouple({ now: () => now - ago });
  beforeAll(async () => {
    const risotto = await addIdea(us.ada, { title: 'That risotto again', description: 'You stir.', category: 'Food' });
    await addIdea(us.ada, { title: 'A map and a coin', description: 'Four HOURS, no plan', category: 'Adventure' });
    await addIdea(us.ada, { title: 'Hot springs', category: 'Relaxing', isActive: false });
    for (const days of [-3, -2, 5]) await planDate(us.ada, { idea: risotto.id, at: now + days * DAY });
    ago = 0;
    await addIdea(us.ada, { title: 'fort', category: 'Indoor' });
  });

  const titles = (page: Page) => page.getByRole('article').getByRole('heading').allInnerTexts();
  const open = async (page: Page, path = '/date-ideas') => {
    await page.clock.setFixedTime(now);
    await gotoLive(page, path);
    await page.getByRole('article').first().waitFor();
  };

  it('shows the active ideas by title, with badges and when they were last planned or created', {
    tags: ['ideas.list.1', 'ideas.list.3', 'ideas.list.6'],
  }, async () => {
    const page = await us.openAs(us.ben, DESKTOP);
    await open(page);
    await expect.poll(() => titles(page)).toEqual(['A map and a coin', 'fort', 'That risotto again']);
    await page.getByRole('status').getByText('3 ideas found', { exact: true }).waitFor();
    const card = (title: string) => page.getByRole('article').filter({ hasText: title });
    expect(await card('fort').innerText()).toMatch(
      /Indoor[\s\S]*New[\s\S]*No description provided[\s\S]*Created today/,
    );
    expect(await card('fort').getByText('Indoor', { exact: true }).locator('svg').count()).toBe(1);
    const risotto = await card('risotto').innerText();
    expect(risotto).toContain('Popular');
    expect(risotto).toContain('Last planned in 5 days');
    expect(risotto).not.toContain('New');
    expect(await card('A map').innerText()).toContain('Created 1 week ago');
  });

  it('sorts by title for an unknown sort in the address', async () => {
    const page = await us.open(DESKTOP);
    await open(page, '/date-ideas?sort=nonsense');
    await expect.poll(() => page.getByLabel('Sort').inputValue()).toBe('title');
  });

  it('searches, filters and sorts, and keeps all of it in the address across back and reload', {
    tags: [
      'ideas.list.1',
      'ideas.list.2',
      'ideas.list.3',
      'ideas.list.4',
      'ideas.list.5',
      'ideas.list.9',
      'ideas.list.11',
    ],
  }, async () => {
    const page = await us.open(DESKTOP);
    await open(page);
    const search = page.getByRole('searchbox');
    expect(await search.getAttribute('placeholder')).toBe('Search date ideas...');
    await search.fill('hours');
    await page.getByText('1 idea found for "hours"').waitFor();
    await expect.poll(() => titles(page)).toEqual(['A map and a coin']);
    await expect
      .poll(() => page.getByLabel('Category').locator('option').allInnerTexts())
      .toEqual([
        'All Categories',
        'Romantic',
        'Outdoor',
        'Indoor',
        'Adventure',
        'Food & Dining',
        'Cultural',
        'Relaxing',
        'Active',
      ]);
    await page.getByLabel('Category').selectOption({ label: 'Food & Dining' });
    await page.getByText('0 ideas found in Food & Dining for "hours"').waitFor();
    await page.getByText('No date ideas found in Food & Dining category.').waitFor();
    // The search is added to the URL a moment after the last key, so the order of the parameters may vary.
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({ search: 'hours', category: 'Food' });
    await page.reload();
    await page.getByText('0 ideas found in Food & Dining for "hours"').waitFor();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.getByText('3 ideas found', { exact: true }).waitFor();
    await expect.poll(() => search.inputValue()).toBe('');

    await search.fill('nothing at all');
    await page.getByText('No date ideas found for "nothing at all".').waitFor();
    await page.getByRole('link', { name: 'Add Our First Idea' }).waitFor();
    await search.fill('');

    const sort = page.getByLabel('Sort');
    expect(await sort.locator('option').allInnerTexts()).toEqual([
      'Title A-Z',
      'Category',
      'Recently Added',
      'Most Popular',
    ]);
    await sort.selectOption('Recently Added');
    await expect.poll(async () => (await titles(page))[0]).toBe('fort');
    await sort.selectOption('Most Popular');
    await expect.poll(async () => (await titles(page))[0]).toBe('That risotto again');
    await sort.selectOption('Category');
    await expect.poll(() => titles(page)).toEqual(['A map and a coin', 'That risotto again', 'fort']);
    await page.getByRole('article').filter({ hasText: 'fort' }).getByRole('link', { name: 'Plan This Date' }).click();
    await page.waitForURL('**/plan');
    await page.goBack();
    await expect.poll(() => titles(page)).toEqual(['A map and a coin', 'That risotto again', 'fort']);
    // A search typed right before leaving the list is still there after coming back.
    await search.fill('coin');
    await page.getByRole('article').filter({ hasText: 'coin' }).getByRole('link', { name: 'Plan This Date' }).click();
    await page.waitForURL('**/plan');
    await page.goBack();
    await page.getByText('1 idea found for "coin"').waitFor();
    await expect.poll(() => search.inputValue()).toBe('coin');
  });

  it('offers the inactive ideas', { tags: ['ideas.list.10'] }, async () => {
    const page = await us.open(PHONE);
    await open(page);
    await page.getByRole('switch', { name: 'Show inactive (1)' }).check({ force: true });
    await page.getByText('4 ideas found').waitFor();
    const springs = page.getByRole('article').filter({ hasText: 'Hot springs' });
    await expect.poll(() => springs.innerText()).toContain('Inactive');
    expect(await springs.getByText('Plan This Date').count()).toBe(0);
    await springs.getByRole('link', { name: 'Edit' }).click();
    await page.waitForURL('**/edit');
    await page.goBack();
    await springs.waitFor();
  });

  it('has one add button per width, disabled while loading', { tags: ['ideas.list.8'] }, async () => {
    const page = await us.open(PHONE);
    const answer = await holdRequests(page, '**/api/DateIdeas/active');
    await page.goto('/date-ideas');
    const add = page.getByRole('button', { name: 'Add New Idea' });
    await add.waitFor();
    expect(await add.isDisabled()).toBe(true);
    await page.getByRole('status').getByText('Loading date ideas...').waitFor({ state: 'attached' });
    answer();
    const link = page.getByRole('link', { name: 'Add New Idea' });
    await link.waitFor();
    await page.setViewportSize(DESKTOP.viewport);
    await expect.poll(() => link.count()).toBe(1);
    await link.click();
    await page.waitForURL('**/date-ideas/add');
  });

  it('says when it cannot be loaded, and tries again', { tags: ['ideas.list.13'] }, async () => {
    const page = await us.open(DESKTOP);
    await answerOnce(page, 'GET /api/DateIdeas/active', { status: 500 });
    await page.goto('/date-ideas');
    await page.getByRole('alert').getByText('Failed to load date ideas. Please try again.').waitFor();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText('3 ideas found').waitFor();
    // If the categories fail to load, the eight defaults are used.
    await page.route('**/api/DateIdeas/categories', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/api/DateIdeas/categories'));
    await open(page);
    await failed;
    await expect.poll(() => page.getByLabel('Category').locator('option').count()).toBe(9);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('deletes after a question, and reports a failure', {
    tags: ['ideas.list.1', 'ideas.list.9', 'ideas.list.14', 'ideas.list.15'],
  }, async () => {
    const newCouple = await registerCouple(us.app);
    await addIdea(newCouple.ada, { title: 'Two bicycles' });
    const page = await us.openAs(newCouple.ada, DESKTOP);
    const other = await us.openAs(newCouple.ben, { ...PHONE, name: 'Ben' });
    await Promise.all([open(page), open(other)]);
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this date idea?' });
    const pressDelete = () => page.getByRole('button', { name: 'Delete' }).click();
    await pressDelete();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await titles(page)).toEqual(['Two bicycles']);

    await answerOnce(page, 'DELETE /api/DateIdeas/*', 'cut');
    await pressDelete();
    await question.getByRole('button', { name: 'Delete' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to delete date idea. Please try again.' });
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });

    await pressDelete();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').getByText('Idea deleted.').waitFor();
    const empty = 'No date ideas yet! Start by adding our first romantic idea.';
    await page.getByText(empty).waitFor();
    expect(await page.getByRole('button', { name: 'Clear Filters' }).count()).toBe(0);
    // The partner sees it without a reload.
    await other.getByText(empty).waitFor();
  });

  it('shows what the partner adds without a reload', { tags: ['ideas.list.15'] }, async () => {
    const page = await us.open(PHONE);
    await open(page);
    const added = await addIdea(us.ben, { title: 'Zia Carla’s lemon cake' });
    await page.getByRole('heading', { name: 'Zia Carla’s lemon cake' }).waitFor();
    await us.ben.call('DELETE /api/DateIdeas/{id}', { params: { id: added.id } });
    await page.getByText('3 ideas found').waitFor();
  });
});
