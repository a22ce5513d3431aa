import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { addIdea, completeDate, startDate } from '../../../tests/support/factories.ts';
import { handleCalls } from '../../../tests/support/handle-calls.ts';
import { address, advance, focus, keepNoticesOpen, press, registerUs, show } from '../../../tests/support/screens.tsx';
import { DAY } from '../../base/durations.ts';

/** Long enough that what is shown has been marked as seen. */
const MARKED_MS = 4000;

describe('the celebration of a milestone', () => {
  beforeEach(() => page.viewport(1280, 800));
  afterEach(() => vi.useRealTimers());

  it('stays while the pointer or the focus is on it, and disappears afterwards', {
    tags: ['stats.milestones.3'],
  }, async () => {
    const { ada } = await registerUs();
    await completeDate(ada, { at: Date.now() - DAY, minutes: 60 });
    await show('/date-ideas/add', ada);
    const text = page.getByText('Our very first date together');
    const hide = page.getByRole('button', { name: 'Hide milestone' });
    const title = page.getByLabelText('Title');
    await expect.element(title).toBeVisible();
    // From here, the test alone advances the page's clock.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await expect
      .poll(async () => {
        await advance(50);
        return text.elements().length;
      })
      .toBe(1);
    focus(title);
    await text.hover();
    await advance(30_000);
    expect(text.elements()).toHaveLength(1);
    focus(hide);
    await page.getByRole('heading', { level: 1 }).hover();
    await advance(30_000);
    expect(text.elements()).toHaveLength(1);
    focus(title);
    await advance(9000);
    expect(text.elements()).toHaveLength(1);
    await advance(1500);
    expect(text.elements()).toEqual([]);
  });

  it('returns the focus when it is hidden', { tags: ['stats.milestones.3'] }, async () => {
    keepNoticesOpen();
    const { ada } = await registerUs();
    await completeDate(ada, { at: Date.now() - DAY, minutes: 60 });
    await show('/date-ideas/add', ada);
    const title = page.getByLabelText('Title');
    await expect.element(title).toBeVisible();
    focus(title);
    await press(page.getByRole('button', { name: 'Hide milestone' }), 'Enter');
    await expect.element(page.getByText('Milestone reached')).not.toBeInTheDocument();
    await expect.element(title).toHaveFocus();
  });

  it('counts as seen only once it was visible', { tags: ['stats.milestones.3'] }, async () => {
    keepNoticesOpen();
    const { ada } = await registerUs();
    await completeDate(ada, { at: Date.now() - DAY, minutes: 60 });
    const unseen = async () => (await ada.call('GET /api/Stats/celebrations')).body.length;
    // It is shown even though the reply is lost.
    const lost = Promise.withResolvers<void>();
    const repair = handleCalls('POST /api/Stats/celebrations', () => {
      lost.resolve();
      throw new TypeError('Failed to fetch');
    });
    await show('/dashboard', ada);
    await expect.element(page.getByText('Milestone reached')).toBeVisible();
    await lost.promise;
    expect(await unseen()).toBe(1);
    repair();
    await show('/dashboard', ada);
    await expect.element(page.getByText('Milestone reached')).toBeVisible();
    await expect.poll(unseen).toBe(0);
  });

  it.each([360, 768, 1280])(
    'covers no heading of a screen at %i pixels, and no notice',
    { tags: ['stats.milestones.3'] },
    async (width) => {
      keepNoticesOpen();
      const { ada } = await registerUs();
      const { id } = await startDate(ada);
      await page.viewport(width, 640);
      await show(`/planned-dates/${id}/complete`, ada);
      await page.getByLabelText('Actual start time').fill('2026-11-20T18:00');
      await page.getByLabelText('Actual end time').fill('2026-11-20T20:00');
      await page.getByRole('button', { name: 'Complete Date' }).click();
      const slip = page.getByRole('status').filter({ hasText: 'Milestone reached' });
      const notice = page.getByText('Completed! One more date to remember.');
      await expect.element(slip).toBeVisible();
      await expect.element(notice.first()).toBeVisible();
      const boxOf = (what: Locator) => what.element().getBoundingClientRect();
      const overlap = (other: Locator) => {
        const [a, b] = [boxOf(slip), boxOf(other)];
        return a.top < b.bottom && b.top < a.bottom && a.left < b.right && b.left < a.right;
      };
      await expect.poll(() => boxOf(slip).height).toBeGreaterThan(40);
      await expect.poll(() => overlap(notice.first())).toBe(false);
      for (const link of ['Dashboard', 'Date Ideas', 'Our Dates', 'Memories', 'Our Story']) {
        if (width < 1280) await page.getByRole('button', { name: 'Menu' }).click();
        const target = page.getByRole('navigation').getByRole('link', { name: link, exact: true });
        const href = target.element().getAttribute('href');
        await target.click();
        await expect.poll(address).toBe(href);
        await expect.poll(() => document.querySelector('main:not([aria-busy]) h1')).not.toBeNull();
        await expect.poll(() => overlap(page.getByRole('heading', { level: 1 }))).toBe(false);
      }
    },
  );

  it('waits until it can be seen, and combines the milestones of an old history', {
    tags: ['stats.milestones.3', 'stats.milestones.1', 'stats.milestones.2'],
  }, async () => {
    keepNoticesOpen();
    const { ada } = await registerUs();
    for (const days of [2, 3, 4, 5, 6]) await completeDate(ada, { at: Date.now() - days * DAY, minutes: 150 });
    await show('/date-ideas/add', ada);
    const unseen = async () => (await ada.call('GET /api/Stats/celebrations')).body.map(({ title }) => title);
    const slip = page.getByRole('status').filter({ hasText: '3 milestones' });
    await expect.element(slip.getByText('First Date, Time Flies and Date Night Regular')).toBeVisible();
    await expect.poll(unseen).toEqual([]);
    await page.getByRole('button', { name: 'Hide milestone' }).click();

    await page.getByLabelText('Title').fill('Half a thought');
    await page.getByRole('button', { name: 'Clear' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect.element(dialog).toBeVisible();
    const told = Promise.withResolvers<void>();
    handleCalls('GET /api/Stats/celebrations', async (ask) => {
      const answer = await ask();
      if ((await answer.clone().text()).includes('Date Master')) told.resolve();
      return answer;
    });
    for (const days of [7, 8, 9, 10, 11]) await completeDate(ada, { at: Date.now() - days * DAY, minutes: 10 });
    await told.promise;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await advance(MARKED_MS);
    expect(page.getByText('Date Master').elements()).toEqual([]);
    expect(await unseen()).toEqual(['Date Master']);
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await expect.element(page.getByRole('status').filter({ hasText: 'Date Master' })).toBeVisible();
  });

  it('is followed by ideas that both want only when they can be seen', { tags: ['stats.milestones.3'] }, async () => {
    const { ada, ben } = await registerUs();
    await completeDate(ada, { at: Date.now() - DAY, minutes: 60 });
    const { id } = await addIdea(ada, { title: 'Stargazing' });
    for (const who of [ada, ben]) await who.call('PUT /api/DateIdeas/{id}/heart', { params: { id } });
    const unseen = async () => (await ada.call('GET /api/Stats/celebrations')).body.map(({ ideaId }) => ideaId);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await show('/date-ideas/add', ada);
    const milestone = page.getByText('Milestone reached');
    await expect.element(milestone).toBeVisible();
    await page.getByLabelText('Title').fill('Half a thought');
    await press(page.getByRole('button', { name: 'Clear' }), 'Enter');
    const dialog = page.getByRole('alertdialog');
    await expect.element(dialog).toBeVisible();
    await expect
      .poll(async () => {
        await advance(1000);
        return milestone.elements();
      })
      .toEqual([]);
    await advance(MARKED_MS);
    expect(page.getByText('Stargazing').elements()).toEqual([]);
    expect(await unseen()).toEqual([id]);
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await expect.element(page.getByRole('status').getByText('Stargazing')).toBeVisible();
    await expect.poll(unseen).toEqual([]);
  });
});
