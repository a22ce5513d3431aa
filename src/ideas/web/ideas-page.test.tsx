import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { addIdea, planDate } from '../../../tests/support/factories.ts';
import {
  failCalls,
  handleCalls,
  holdCalls,
  refuseCalls,
  repairAtClick,
  setServerTime,
  setTime,
} from '../../../tests/support/handle-calls.ts';
import { address, type Couple, registerUs, show, textsOf } from '../../../tests/support/screens.tsx';
import { DAY } from '../../base/durations.ts';

/** The list of date ideas. */
describe('the ideas list', () => {
  // Noon of Saturday in Rome, for the server as for the page: no midnight passes while the tests run.
  const now = Date.parse('2026-11-21T11:00:00Z');
  let us: Couple;
  beforeAll(async () => {
    setTime(now);
    us = await registerUs('Europe/Rome');
    // All ideas except the fort are created ten days before the page's date.
    setServerTime(now - 10 * DAY);
    const risotto = await addIdea(us.ada, { title: 'That risotto again', description: 'You stir.', category: 'Food' });
    await addIdea(us.ada, { title: 'A map and a coin', description: 'Four HOURS, no plan', category: 'Adventure' });
    await addIdea(us.ada, { title: 'Hot springs', category: 'Relaxing', isActive: false });
    for (const days of [-3, -2, 5]) await planDate(us.ada, { idea: risotto.id, at: now + days * DAY });
    setServerTime(now);
    await addIdea(us.ada, { title: 'fort', category: 'Indoor' });
  });
  beforeEach(() => page.viewport(1280, 800));
  afterAll(() => vi.useRealTimers());

  const titles = () => textsOf(page.getByRole('article').getByRole('heading'));
  const open = async (path = '/date-ideas') => {
    await show(path, us.ada);
    await expect.element(page.getByRole('article').first()).toBeVisible();
  };

  it('shows the active ideas by title, with badges and when they were last planned or created', {
    tags: ['ideas.list.1', 'ideas.list.3', 'ideas.list.6'],
  }, async () => {
    await open();
    await expect.poll(() => titles()).toEqual(['A map and a coin', 'fort', 'That risotto again']);
    await expect.element(page.getByRole('status').getByText('3 ideas found', { exact: true })).toBeVisible();
    const card = (title: string) => page.getByRole('article').filter({ hasText: title });
    expect(textsOf(card('fort'))[0]).toMatch(/Indoor[\s\S]*New[\s\S]*No description provided[\s\S]*Created today/);
    expect(card('fort').getByText('Indoor', { exact: true }).element().querySelector('svg')).not.toBeNull();
    const risotto = textsOf(card('risotto'))[0];
    expect(risotto).toContain('Popular');
    expect(risotto).toContain('Last planned in 5 days');
    expect(risotto).not.toContain('New');
    expect(textsOf(card('A map'))[0]).toContain('Created 1 week ago');
  });

  it('sorts by title for an unknown sort in the address', async () => {
    await open('/date-ideas?sort=nonsense');
    await expect.element(page.getByLabelText('Sort')).toHaveValue('title');
  });

  it('searches in title and description', { tags: ['ideas.list.2', 'ideas.list.5'] }, async () => {
    await open();
    const search = page.getByRole('searchbox');
    await expect.element(search).toHaveAttribute('placeholder', 'Search date ideas...');
    await search.fill('hours');
    await expect.element(page.getByText('1 idea found for "hours"')).toBeVisible();
    await expect.poll(() => titles()).toEqual(['A map and a coin']);
  });

  it('filters by category', { tags: ['ideas.list.3', 'ideas.list.5'] }, async () => {
    await open();
    await expect
      .poll(() => textsOf(page.getByLabelText('Category').getByRole('option')))
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
    await page.getByLabelText('Category').selectOptions('Food & Dining');
    await expect.element(page.getByText('1 idea found in Food & Dining', { exact: true })).toBeVisible();
    await expect.poll(() => titles()).toEqual(['That risotto again']);
  });

  it('has the search and the category in the address, and clears both at once', {
    tags: ['ideas.list.5', 'ideas.list.9', 'ideas.list.11'],
  }, async () => {
    await open();
    const search = page.getByRole('searchbox');
    await search.fill('hours');
    await page.getByLabelText('Category').selectOptions('Food & Dining');
    await expect.element(page.getByText('0 ideas found in Food & Dining for "hours"')).toBeVisible();
    await expect.element(page.getByText('No date ideas found in Food & Dining category.')).toBeVisible();
    // The search is added to the URL a moment after the last key, so the order of the parameters may vary.
    await expect
      .poll(() => Object.fromEntries(new URL(location.href).searchParams))
      .toEqual({ search: 'hours', category: 'Food' });
    await show(address(), us.ada);
    await expect.element(page.getByText('0 ideas found in Food & Dining for "hours"')).toBeVisible();
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect.element(page.getByText('3 ideas found', { exact: true })).toBeVisible();
    await expect.element(search).toHaveValue('');
  });

  it('offers to add an idea if the search finds none', { tags: ['ideas.list.9'] }, async () => {
    await open();
    await page.getByRole('searchbox').fill('nothing at all');
    await expect.element(page.getByText('No date ideas found for "nothing at all".')).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Add Our First Idea' })).toBeVisible();
  });

  it('sorts in four orders', { tags: ['ideas.list.4'] }, async () => {
    await open();
    const sort = page.getByLabelText('Sort');
    expect(textsOf(sort.getByRole('option'))).toEqual(['Title A-Z', 'Category', 'Recently Added', 'Most Popular']);
    await sort.selectOptions('Recently Added');
    await expect.poll(() => titles()[0]).toBe('fort');
    await sort.selectOptions('Most Popular');
    await expect.poll(() => titles()[0]).toBe('That risotto again');
    await sort.selectOptions('Category');
    await expect.poll(() => titles()).toEqual(['A map and a coin', 'That risotto again', 'fort']);
  });

  it('keeps the order and the search, also one just typed, when one goes on and comes back', {
    tags: ['ideas.list.1', 'ideas.list.11'],
  }, async () => {
    await open();
    const planFrom = async (idea: string) => {
      await page.getByRole('article').filter({ hasText: idea }).getByRole('link', { name: 'Plan This Date' }).click();
      await expect.poll(address).toMatch(/\/plan$/);
    };
    await page.getByLabelText('Sort').selectOptions('Category');
    await expect.poll(() => titles()).toEqual(['A map and a coin', 'That risotto again', 'fort']);
    await planFrom('fort');
    history.back();
    await expect.poll(() => titles()).toEqual(['A map and a coin', 'That risotto again', 'fort']);
    // A search typed right before leaving the list is still there after coming back.
    const search = page.getByRole('searchbox');
    await search.fill('coin');
    await planFrom('coin');
    history.back();
    await expect.element(page.getByText('1 idea found for "coin"')).toBeVisible();
    await expect.element(search).toHaveValue('coin');
  });

  it('offers the inactive ideas', { tags: ['ideas.list.10'] }, async () => {
    await page.viewport(360, 780);
    await open();
    await page.getByRole('switch', { name: 'Show inactive (1)' }).click();
    await expect.element(page.getByText('4 ideas found')).toBeVisible();
    const springs = page.getByRole('article').filter({ hasText: 'Hot springs' });
    await expect.poll(() => textsOf(springs)[0]).toContain('Inactive');
    expect(springs.getByText('Plan This Date').elements()).toEqual([]);
    await springs.getByRole('link', { name: 'Edit' }).click();
    await expect.poll(address).toMatch(/\/edit$/);
    history.back();
    await expect.element(springs).toBeVisible();
  });

  it('has one add button per width, disabled while loading', { tags: ['ideas.list.8'] }, async () => {
    await page.viewport(360, 780);
    const { ada } = await registerUs();
    const held = holdCalls('GET /api/DateIdeas/active');
    await show('/date-ideas', ada);
    const add = page.getByRole('button', { name: 'Add New Idea' });
    await expect.element(add).toBeVisible();
    await expect.element(add).toBeDisabled();
    await expect.element(page.getByRole('status').getByText('Loading date ideas...')).toBeInTheDocument();
    held.release();
    const link = page.getByRole('link', { name: 'Add New Idea' });
    await expect.element(link).toBeVisible();
    await page.viewport(1280, 800);
    await expect.poll(() => link.elements()).toHaveLength(1);
    await link.click();
    await expect.poll(address).toBe('/date-ideas/add');
  });

  it('says when it cannot be loaded, and tries again', { tags: ['ideas.list.13'] }, async () => {
    const { ada } = await registerUs();
    await addIdea(ada);
    const repair = refuseCalls('GET /api/DateIdeas/active', 500);
    await show('/date-ideas', ada);
    await expect
      .element(page.getByRole('alert').getByText('Failed to load date ideas. Please try again.'))
      .toBeVisible();
    repairAtClick(repair);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(page.getByText('1 idea found')).toBeVisible();
  });

  it('offers the eight default categories if the categories cannot be loaded, and says nothing', {
    tags: ['ideas.list.13'],
  }, async () => {
    const failed = Promise.withResolvers<void>();
    handleCalls('GET /api/DateIdeas/categories', () => {
      failed.resolve();
      return new Response(null, { status: 503 });
    });
    await open();
    await failed.promise;
    await expect.poll(() => page.getByLabelText('Category').getByRole('option').elements()).toHaveLength(9);
    expect(page.getByRole('alert').elements()).toEqual([]);
  });

  describe('deleting an idea', () => {
    beforeEach(async () => {
      const newCouple = await registerUs();
      await addIdea(newCouple.ada, { title: 'Two bicycles' });
      await show('/date-ideas', newCouple.ada);
      await page.getByRole('button', { name: 'Delete' }).click();
    });
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this date idea?' });
    const confirm = () => question.getByRole('button', { name: 'Delete' }).click();

    it('asks first', { tags: ['ideas.list.1', 'ideas.list.14'] }, async () => {
      await expect.element(question).toBeVisible();
      await userEvent.keyboard('{Escape}');
      await expect.element(question).not.toBeInTheDocument();
      expect(titles()).toEqual(['Two bicycles']);
    });

    it('says that it failed, until that is dismissed', { tags: ['ideas.list.14'] }, async () => {
      failCalls('DELETE /api/DateIdeas/*', 1);
      await confirm();
      const alert = page.getByRole('alert').filter({ hasText: 'Failed to delete date idea. Please try again.' });
      await alert.getByRole('button', { name: 'Dismiss' }).click();
      await expect.element(alert).not.toBeInTheDocument();
      expect(titles()).toEqual(['Two bicycles']);
    });

    it('leaves an empty list after the last one', { tags: ['ideas.list.9'] }, async () => {
      await confirm();
      await expect.element(page.getByRole('status').getByText('Idea deleted.')).toBeVisible();
      const empty = 'No date ideas yet! Start by adding our first romantic idea.';
      await expect.element(page.getByText(empty)).toBeVisible();
      expect(page.getByRole('button', { name: 'Clear Filters' }).elements()).toEqual([]);
    });
  });

  it('shows what the partner adds without a reload', { tags: ['ideas.list.15'] }, async () => {
    await page.viewport(360, 780);
    await open();
    const added = await addIdea(us.ben, { title: 'Zia Carla’s lemon cake' });
    await expect.element(page.getByRole('heading', { name: 'Zia Carla’s lemon cake' })).toBeVisible();
    await us.ben.call('DELETE /api/DateIdeas/{id}', { params: { id: added.id } });
    await expect.element(page.getByText('3 ideas found')).toBeVisible();
  });
});
