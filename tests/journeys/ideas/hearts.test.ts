import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectNoViolations } from '../../support/accessibility.ts';
import {
  DESKTOP,
  delayRequests,
  focusedId,
  gotoLive,
  keepNotices,
  letReactRender,
  PHONE,
} from '../../support/browser.ts';
import { type Partner, registerCouple } from '../../support/client.ts';
import { addIdea, planDate } from '../../support/factories.ts';
import { useApp } from '../../support/use-app.ts';

/** Hearts: private until returned, 'We both want this', 'Pick for us'. */
describe('hearts on the ideas', () => {
  let draw = 0;
  const here = useApp({ randomInt: (limit) => draw % limit });

  const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });
  const heart = (page: Page, title: string) => card(page, title).getByRole('button', { name: 'Heart', exact: true });
  const isPressed = (page: Page, title: string) => heart(page, title).getAttribute('aria-pressed');
  const titles = (page: Page) => page.getByRole('article').getByRole('heading').allInnerTexts();
  const filter = (page: Page) => page.getByRole('button', { name: /^We both want this \(\d+\)$/ });
  const slip = (page: Page) => page.getByRole('status').filter({ hasText: 'Keep for later' });
  /** Counts the answers to presses from now on. */
  const countAnswers = (page: Page) => {
    let answered = 0;
    page.on('response', (response) => {
      answered += Number(response.url().endsWith('/heart'));
    });
    return () => answered;
  };
  const put = (who: Partner, id: string) => who.call('PUT /api/DateIdeas/{id}/heart', { params: { id } });
  const open = async (page: Page) => {
    await gotoLive(page, '/date-ideas');
    await page.getByRole('article').first().waitFor();
  };

  it('stay private until they are returned, and then are celebrated on both screens, once', {
    tags: ['ideas.hearts.7'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const { id } = await addIdea(ada, { title: 'Stargazing' });
    await addIdea(ada, { title: 'Crossword' });
    const hers = await here.openAs(ada, { ...PHONE, name: 'Ada' });
    const his = await here.openAs(ben, { ...DESKTOP, name: 'Ben' });
    for (const page of [hers, his]) {
      await keepNotices(page);
      await open(page);
    }
    const asBefore = await card(his, 'Stargazing').innerText();
    const requests: string[] = [];
    his.on('request', (request) => requests.push(request.url()));

    await heart(hers, 'Stargazing').press('Enter');
    await expect.poll(() => isPressed(hers, 'Stargazing')).toBe('true');
    await expect
      .poll(async () => (await ada.call('GET /api/DateIdeas/{id}', { params: { id } })).body.hearts.mine)
      .toBe(true);
    // A change that is announced to him arrives, and shows nothing of hers.
    await addIdea(ada, { title: 'Something else' });
    await card(his, 'Something else').waitFor();
    expect(await isPressed(his, 'Stargazing')).toBe('false');
    expect(await card(his, 'Stargazing').innerText()).toBe(asBefore);
    expect(await filter(his).count()).toBe(0);
    expect(await slip(his).count()).toBe(0);

    await heart(his, 'Stargazing').click();
    for (const page of [hers, his]) {
      await slip(page).getByText('Stargazing').waitFor();
      await card(page, 'Stargazing').getByText('We both want this', { exact: true }).waitFor();
      await expect.poll(() => filter(page).innerText()).toBe('We both want this (1)');
      await expectNoViolations(page);
    }
    expect(await slip(his).getByRole('link', { name: 'Plan This Date' }).getAttribute('href')).toBe(
      `/date-ideas/${id}/plan`,
    );
    await slip(hers).getByRole('button', { name: 'Keep for later' }).click();
    await expect.poll(() => slip(hers).count()).toBe(0);
    await expect.poll(async () => (await ben.call('GET /api/Stats/celebrations')).body).toEqual([]);

    // Taking it back ends it for both, without a notice; putting it again is not celebrated again.
    await heart(hers, 'Stargazing').click();
    await expect.poll(() => isPressed(hers, 'Stargazing')).toBe('false');
    await expect.poll(() => filter(his).count()).toBe(0);
    expect(await isPressed(his, 'Stargazing')).toBe('true');
    await heart(hers, 'Stargazing').click();
    await filter(his).waitFor();
    await filter(hers).waitFor();
    expect(await slip(hers).count()).toBe(0);
  });

  it('filter the list, also after a reload, and as long as any is mutual', { tags: ['ideas.hearts.8'] }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const wanted = await addIdea(ada, { title: 'Both of us' });
    await put(ada, wanted.id);
    await put(ben, wanted.id);
    await put(ada, (await addIdea(ada, { title: 'Only me' })).id);
    const page = await here.openAs(ada, PHONE);
    await keepNotices(page);
    await open(page);
    await slip(page).getByRole('button', { name: 'Keep for later' }).click();
    await filter(page).click();
    await expect.poll(() => titles(page)).toEqual(['Both of us']);
    await page.getByRole('status').getByText('1 idea found', { exact: true }).waitFor();
    expect(await filter(page).getAttribute('aria-pressed')).toBe('true');
    await page.reload();
    await expect.poll(() => titles(page)).toEqual(['Both of us']);
    await page.getByRole('searchbox').fill('nothing');
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await expect.poll(() => titles(page)).toEqual(['Both of us', 'Only me']);
    await filter(page).click();
    const takeBack = async () => {
      await heart(page, 'Both of us').click();
      await expect.poll(() => titles(page)).toEqual(['Both of us', 'Only me']);
      expect(await filter(page).count()).toBe(0);
    };
    await takeBack();
    expect(await focusedId(page)).toBe('main');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => titles(page)).toEqual(['Both of us']);
    await takeBack();
  });

  it('can be pressed as fast as one likes: the last press counts', { tags: ['ideas.hearts.6'] }, async () => {
    const { ada } = await registerCouple(here.app);
    const { id } = await addIdea(ada, { title: 'Undecided' });
    const page = await here.openAs(ada, PHONE);
    await open(page);
    const answered = countAnswers(page);
    await delayRequests(page, '**/heart', 500);
    for (let press = 0; press < 5; press += 1) await heart(page, 'Undecided').click();
    const saved = async () => (await ada.call('GET /api/DateIdeas/{id}', { params: { id } })).body.hearts.mine;
    // The answers to the presses before it don't show.
    const shown = new Set<string | null>();
    await expect.poll(async () => [shown.add(await isPressed(page, 'Undecided')).size, answered()]).toEqual([1, 5]);
    expect([...shown]).toEqual(['true']);
    expect(await saved()).toBe(true);
    await letReactRender(page);
    expect(await isPressed(page, 'Undecided')).toBe('true');
  });

  it('show each press at once, so that the next press turns it around', { tags: ['ideas.hearts.6'] }, async () => {
    const { ada } = await registerCouple(here.app);
    for (let n = 1; n <= 30; n += 1) await addIdea(ada, { title: `Idea ${n}` });
    const page = await here.openAs(ada, PHONE);
    await open(page);
    const answered = countAnswers(page);
    await delayRequests(page, '**/heart', 500);
    const shown = await heart(page, 'Idea 30').evaluate(async (button: HTMLElement) => {
      const states: (string | null)[] = [];
      for (let press = 0; press < 5; press += 1) {
        button.click();
        // React renders before it.
        await Promise.resolve();
        states.push(button.getAttribute('aria-pressed'));
      }
      return states;
    });
    expect(shown).toEqual(['true', 'false', 'true', 'false', 'true']);
    await expect.poll(answered).toBe(5);
    const { body } = await ada.call('GET /api/DateIdeas');
    expect(body.filter(({ hearts }) => hearts.mine).map(({ title }) => title)).toEqual(['Idea 30']);
  });

  it('say so if they can not be saved, and show as before', { tags: ['ideas.hearts.10'] }, async () => {
    const { ada } = await registerCouple(here.app);
    await addIdea(ada, { title: 'Far away' });
    const page = await here.openAs(ada, DESKTOP);
    await open(page);
    await page.context().setOffline(true);
    await heart(page, 'Far away').click();
    await page.getByRole('alert').getByText('We are offline, so this heart is not saved.').waitFor();
    await expect.poll(() => isPressed(page, 'Far away')).toBe('false');
    await page.getByRole('button', { name: 'Pick for us' }).click();
    await page.getByRole('alert').getByText('We are offline. Please pick again when we are online.').waitFor();
    await page.context().setOffline(false);
    await page.route('**/heart', (route) => route.fulfill({ status: 503, json: {} }));
    await heart(page, 'Far away').click();
    await page.getByRole('alert').getByText('Failed to save this heart.').waitFor();
    await expect.poll(() => isPressed(page, 'Far away')).toBe('false');
  });

  it('let a card be drawn: it is a dialog that plans it, or draws another', { tags: ['ideas.hearts.9'] }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const page = await here.openAs(ada, PHONE);
    await gotoLive(page, '/date-ideas');
    await page.getByText('No date ideas yet!').waitFor();
    expect(await page.getByRole('button', { name: 'Pick for us' }).count()).toBe(0);
    const ideas = [];
    for (const title of ['Apple picking', 'Boat ride', 'Cinema']) ideas.push(await addIdea(ben, { title }));
    await page.getByRole('article').nth(2).waitFor();
    const pick = page.getByRole('button', { name: 'Pick for us' });
    const dialog = page.getByRole('dialog');
    draw = 1;
    await pick.press('Enter');
    await page.getByRole('dialog', { name: 'Boat ride' }).getByText('Drawn from all our ideas').waitFor();
    await expectNoViolations(page);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Plan This Date');
    draw = 2;
    await dialog.getByRole('button', { name: 'Pick again' }).click();
    await page.getByRole('dialog', { name: 'Cinema' }).waitFor();
    await dialog.getByRole('status').getByText('Cinema').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Pick for us');

    // From what both want, without what is planned already.
    for (const who of [ada, ben]) for (const { id } of ideas.slice(0, 2)) await put(who, id);
    await planDate(ben, { idea: ideas[0]?.id ?? '' });
    draw = 0;
    await pick.click();
    await page.getByRole('dialog', { name: 'Boat ride' }).getByText('Drawn from what we both want').waitFor();
    // The only one left is drawn again, and it says so.
    await dialog.getByRole('button', { name: 'Pick again' }).click();
    await dialog.getByRole('status').getByText('Boat ride, again').waitFor();
    await dialog.getByRole('link', { name: 'Plan This Date' }).click();
    await page.waitForURL(`**/date-ideas/${ideas[1]?.id}/plan`);
    await page.getByRole('article').getByText('We both want this', { exact: true }).waitFor();
  });

  it('leave the title its room, and the card its height, at every width', { tags: ['ideas.hearts.6'] }, async () => {
    const { ada } = await registerCouple(here.app);
    const title = 'The slow Sunday we keep promising each other, with Donaudampfschifffahrtsgesellschaftskapitäne';
    const { id } = await addIdea(ada, { title });
    for (const width of [360, 768, 1280]) {
      const page = await here.openAs(ada, { viewport: { width, height: 800 } });
      await open(page);
      // A font that arrives late can wrap the title again.
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      const heightOf = async () => (await card(page, title).boundingBox())?.height;
      const before = await heightOf();
      const button = await heart(page, title).boundingBox();
      const heading = await card(page, title).getByRole('heading').boundingBox();
      expect([button?.width, button?.height]).toEqual([44, 44]);
      expect((heading?.x ?? 0) + (heading?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
      // The heart shows before it is saved.
      const saved = page.waitForResponse((response) => response.url().endsWith('/heart') && response.ok());
      await heart(page, title).click();
      await expect.poll(() => isPressed(page, title)).toBe('true');
      await saved;
      expect(await heightOf()).toBe(before);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await ada.call('DELETE /api/DateIdeas/{id}/heart', { params: { id } });
    }
  });
});
