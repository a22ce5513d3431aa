import { afterEach, describe, expect, it } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { addIdea, planDate } from '../../../tests/support/factories.ts';
import { handleCalls, refuseCalls, setDraw, setOffline } from '../../../tests/support/handle-calls.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { findIssues } from '../../../tests/support/screen-issues.ts';
import { address, press, registerUs, show, textsOf } from '../../../tests/support/screens.tsx';

/** Hearts: private until returned, 'We both want this', 'Pick for us'. */
describe('hearts on the ideas', () => {
  afterEach(() => setDraw(0));

  const card = (title: string) => page.getByRole('article').filter({ hasText: title });
  const heart = (title: string) => card(title).getByRole('button', { name: 'Heart', exact: true });
  const isPressed = (title: string) => heart(title).element().getAttribute('aria-pressed');
  const titles = () => textsOf(page.getByRole('article').getByRole('heading'));
  const filter = () => page.getByRole('button', { name: /^We both want this \(\d+\)$/ });
  const slip = () => page.getByRole('status').filter({ hasText: 'Keep for later' });
  /** Answers presses late, as a slow connection does. Returns a function that tells how many are answered. */
  const answerLate = () => {
    let answered = 0;
    handleCalls('PUT /api/DateIdeas/*/heart', late);
    handleCalls('DELETE /api/DateIdeas/*/heart', late);
    async function late(ask: () => Promise<Response>) {
      await new Promise((done) => setTimeout(done, 200));
      const answer = await ask();
      answered += 1;
      return answer;
    }
    return () => answered;
  };
  const put = (who: Partner, id: string) => who.call('PUT /api/DateIdeas/{id}/heart', { params: { id } });
  const open = async (who: Partner) => {
    await show('/date-ideas', who);
    await expect.element(page.getByRole('article').first()).toBeVisible();
  };

  it('filter the list, also on the next visit, and as long as any is mutual', {
    tags: ['ideas.hearts.8'],
  }, async () => {
    const { ada, ben } = await registerUs();
    const wanted = await addIdea(ada, { title: 'Both of us' });
    await put(ada, wanted.id);
    await put(ben, wanted.id);
    await put(ada, (await addIdea(ada, { title: 'Only me' })).id);
    await open(ada);
    await slip().getByRole('button', { name: 'Keep for later' }).click();
    await filter().click();
    await expect.poll(() => titles()).toEqual(['Both of us']);
    await expect.element(page.getByRole('status').getByText('1 idea found', { exact: true })).toBeVisible();
    await expect.element(filter()).toHaveAttribute('aria-pressed', 'true');
    await show(address(), ada);
    await expect.poll(() => titles()).toEqual(['Both of us']);
    await page.getByRole('searchbox').fill('nothing');
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect.poll(() => titles()).toEqual(['Both of us', 'Only me']);
    await filter().click();
    const takeBack = async () => {
      await heart('Both of us').click();
      await expect.poll(() => titles()).toEqual(['Both of us', 'Only me']);
      await expect.element(filter()).not.toBeInTheDocument();
    };
    await takeBack();
    await expect.poll(() => document.activeElement?.id).toBe('main');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => titles()).toEqual(['Both of us']);
    await takeBack();
  });

  it('can be pressed as fast as one likes: the last press counts', { tags: ['ideas.hearts.6'] }, async () => {
    const { ada } = await registerUs();
    const { id } = await addIdea(ada, { title: 'Undecided' });
    await open(ada);
    const answered = answerLate();
    for (let press = 0; press < 5; press += 1) (heart('Undecided').element() as HTMLElement).click();
    const saved = async () => (await ada.call('GET /api/DateIdeas/{id}', { params: { id } })).body.hearts.mine;
    // The answers to the presses before it don't show.
    const shown = new Set<string | null>();
    await expect.poll(() => [shown.add(isPressed('Undecided')).size, answered()]).toEqual([1, 5]);
    expect([...shown]).toEqual(['true']);
    expect(await saved()).toBe(true);
    expect(isPressed('Undecided')).toBe('true');
  });

  it('show each press at once, so that the next press turns it around', { tags: ['ideas.hearts.6'] }, async () => {
    const { ada } = await registerUs();
    for (let n = 1; n <= 30; n += 1) await addIdea(ada, { title: `Idea ${n}` });
    await open(ada);
    const answered = answerLate();
    await expect.element(heart('Idea 30')).toBeVisible();
    const button = heart('Idea 30').element() as HTMLElement;
    const shown: (string | null)[] = [];
    for (let press = 0; press < 5; press += 1) {
      button.click();
      // React renders before it.
      await Promise.resolve();
      shown.push(button.getAttribute('aria-pressed'));
    }
    expect(shown).toEqual(['true', 'false', 'true', 'false', 'true']);
    await expect.poll(answered).toBe(5);
    const { body } = await ada.call('GET /api/DateIdeas');
    expect(body.filter(({ hearts }) => hearts.mine).map(({ title }) => title)).toEqual(['Idea 30']);
  });

  it('say so if they can not be saved, and show as before', { tags: ['ideas.hearts.10'] }, async () => {
    const { ada } = await registerUs();
    await addIdea(ada, { title: 'Far away' });
    await open(ada);
    setOffline(true);
    await heart('Far away').click();
    await expect
      .element(page.getByRole('alert').getByText('We are offline, so this heart is not saved.'))
      .toBeVisible();
    await expect.poll(() => isPressed('Far away')).toBe('false');
    await page.getByRole('button', { name: 'Pick for us' }).click();
    await expect
      .element(page.getByRole('alert').getByText('We are offline. Please pick again when we are online.'))
      .toBeVisible();
    setOffline(false);
    refuseCalls('PUT /api/DateIdeas/*/heart', 503);
    await heart('Far away').click();
    await expect.element(page.getByRole('alert').getByText('Failed to save this heart.')).toBeVisible();
    await expect.poll(() => isPressed('Far away')).toBe('false');
  });

  it('draw no card where there is no idea', { tags: ['ideas.hearts.9'] }, async () => {
    const { ada } = await registerUs();
    await show('/date-ideas', ada);
    await expect.element(page.getByText('No date ideas yet!')).toBeVisible();
    expect(page.getByRole('button', { name: 'Pick for us' }).elements()).toEqual([]);
  });

  /** Opens the list of a new couple with three ideas. */
  const openThree = async () => {
    const { ada, ben } = await registerUs();
    const ideas: string[] = [];
    for (const title of ['Apple picking', 'Boat ride', 'Cinema']) ideas.push((await addIdea(ben, { title })).id);
    await show('/date-ideas', ada);
    await expect.element(page.getByRole('article').nth(2)).toBeVisible();
    return { ada, ben, ideas };
  };
  const pick = page.getByRole('button', { name: 'Pick for us' });
  const dialog = page.getByRole('dialog');

  it('draw a card, and another, from all ideas if none is mutual', { tags: ['ideas.hearts.9'] }, async () => {
    await openThree();
    setDraw(1);
    await press(pick, 'Enter');
    await expect
      .element(page.getByRole('dialog', { name: 'Boat ride' }).getByText('Drawn from all our ideas'))
      .toBeVisible();
    expect(await findIssues('the card')).toEqual([]);
    await expect.poll(() => document.activeElement?.textContent).toBe('Plan This Date');
    setDraw(2);
    await dialog.getByRole('button', { name: 'Pick again' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Cinema' })).toBeVisible();
    await expect.element(dialog.getByRole('status').getByText('Cinema')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.poll(() => document.activeElement?.textContent).toBe('Pick for us');
  });

  it('draw a card from what both want and is not planned, and plan it', { tags: ['ideas.hearts.9'] }, async () => {
    const { ada, ben, ideas } = await openThree();
    const [apples = '', boat = ''] = ideas;
    for (const who of [ada, ben]) for (const id of [apples, boat]) await put(who, id);
    await planDate(ben, { idea: apples });
    setDraw(0);
    await pick.click();
    await expect
      .element(page.getByRole('dialog', { name: 'Boat ride' }).getByText('Drawn from what we both want'))
      .toBeVisible();
    // The only one left is drawn again, and it says so.
    await dialog.getByRole('button', { name: 'Pick again' }).click();
    await expect.element(dialog.getByRole('status').getByText('Boat ride, again')).toBeVisible();
    await dialog.getByRole('link', { name: 'Plan This Date' }).click();
    await expect.poll(address).toBe(`/date-ideas/${boat}/plan`);
    await expect.element(page.getByRole('article').getByText('We both want this', { exact: true })).toBeVisible();
  });

  it('leave the title its room, and the card its height, at every width', { tags: ['ideas.hearts.6'] }, async () => {
    const { ada } = await registerUs();
    const title = 'The slow Sunday we keep promising each other, with Donaudampfschifffahrtsgesellschaftskapitäne';
    await addIdea(ada, { title });
    await open(ada);
    const boxOf = (target: Locator) => target.element().getBoundingClientRect();
    for (const width of [360, 768, 1280]) {
      await page.viewport(width, 800);
      // A font that arrives late can wrap the title again.
      await document.fonts.ready;
      const before = boxOf(card(title)).height;
      const button = boxOf(heart(title));
      expect([button.width, button.height]).toEqual([44, 44]);
      expect(boxOf(card(title).getByRole('heading')).right).toBeLessThanOrEqual(button.x);
      await heart(title).click();
      await expect.poll(() => isPressed(title)).toBe('true');
      expect(boxOf(card(title)).height).toBe(before);
      expect(document.documentElement.scrollWidth).toBe(width);
      await heart(title).click();
      await expect.poll(() => isPressed(title)).toBe('false');
    }
    await expect.poll(async () => (await ada.call('GET /api/DateIdeas')).body[0]?.hearts.mine).toBe(false);
  });
});
