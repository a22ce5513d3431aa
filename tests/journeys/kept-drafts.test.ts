import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESKTOP } from '../support/browser.ts';
import { addIdea } from '../support/factories.ts';
import { useCouple } from '../support/use-app.ts';

const RESTORED = 'We restored what you had written.';

const description = (page: Page) => page.getByLabel('Description');
const title = (page: Page) => page.getByLabel('Title', { exact: true });
const drafts = (page: Page) => page.evaluate(() => sessionStorage.length);

/** Does what a browser does that keeps the page while another one is shown. */
const goAndComeBack = (page: Page) =>
  page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });

/** Hides the page, as another app in front of it does, or shows it again. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((is) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => is });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);

describe('the draft of a form', () => {
  const us = useCouple();

  /** Opens a screen, in a page that is never told that it is unloaded, as one that a phone discards. */
  async function openDiscarded(path: string): Promise<Page> {
    const page = await us.open(DESKTOP);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.addInitScript(() => {
      for (const type of ['pagehide', 'visibilitychange']) {
        addEventListener(type, (event) => event.isTrusted && event.stopImmediatePropagation(), { capture: true });
      }
    });
    await page.goto(path);
    return page;
  }

  it('that was restored twice is still an edit of the version that it began on', async () => {
    const { id, category } = await addIdea(us.ada, { title: 'A hill', description: 'With a view' });
    const page = await us.open(DESKTOP);
    await page.goto(`/date-ideas/${id}/edit`);
    await description(page).fill('With a bench');
    const body = { title: 'A hill', description: 'With a tower', category, isActive: true };
    await us.ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body });
    for (let time = 0; time < 2; time += 1) {
      await page.reload();
      await page.getByText(RESTORED).waitFor();
      await expect.poll(() => description(page).inputValue()).toBe('With a bench');
    }
    await page.getByRole('button', { name: 'Save Changes' }).click();
    const theirs = page.getByRole('region', { name: 'Their version' });
    await theirs.getByText('With a tower').waitFor();
    await theirs.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => description(page).inputValue()).toBe('With a tower');
    // From now on it is an edit of their version, in a draft too.
    await description(page).fill('With a tower and a bench');
    await page.reload();
    await page.getByText(RESTORED).waitFor();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.waitForURL('**/date-ideas?updated=true');
    const { body: saved } = await us.ada.call('GET /api/DateIdeas/{id}', { params: { id } });
    expect(saved.description).toBe('With a tower and a bench');
  });

  it('is kept while its page is hidden, from where a phone may discard it', async () => {
    const page = await openDiscarded('/date-ideas/add');
    await title(page).fill('Half a thought');
    await page.reload();
    await expect.poll(() => title(page).inputValue()).toBe('');
    await title(page).fill('Half a thought');
    await setHidden(page, true);
    await page.reload();
    await page.getByText(RESTORED).waitFor();
    await expect.poll(() => title(page).inputValue()).toBe('Half a thought');
  });

  it('does not come back if the form is continued after its page was hidden', async () => {
    const page = await openDiscarded('/date-ideas/add');
    await title(page).fill('Half a thought');
    await setHidden(page, true);
    expect(await drafts(page)).toBe(1);
    await setHidden(page, false);
    expect(await drafts(page)).toBe(0);
    await title(page).fill('');
    await page.evaluate(() => history.pushState(null, '', '/date-ideas'));
    await page.getByRole('heading', { level: 1, name: 'Date Ideas' }).waitFor();
    await page.evaluate(() => history.back());
    await expect.poll(() => title(page).inputValue()).toBe('');
  });

  for (const [how, leave] of [
    ['Cancel', (page: Page) => page.getByRole('link', { name: 'Cancel' }).click()],
    ['a link', (page: Page) => page.getByRole('navigation').getByRole('link', { name: 'Memories' }).click()],
    ['a save', (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click()],
  ] as const) {
    it(`does not come back if ${how} leaves the form while or after its page is hidden`, async () => {
      const { id } = await addIdea(us.ada, { title: 'A lake', description: 'Cold' });
      const path = `/date-ideas/${id}/edit`;
      const page = await openDiscarded(path);
      for (const round of ['hidden', 'shown', 'back']) {
        await description(page).fill(`Cold and deep, ${round}`);
        if (round === 'back') await goAndComeBack(page);
        else await setHidden(page, true);
        if (round === 'shown') await setHidden(page, false);
        await leave(page);
        await page.waitForURL((url) => url.pathname !== path);
        await expect.poll(() => drafts(page)).toBe(0);
        await setHidden(page, false);
        await page.evaluate((to) => history.pushState(null, '', to), path);
        await description(page).waitFor();
        expect(await description(page).inputValue()).toMatch(how === 'a save' ? `Cold and deep, ${round}` : /^Cold$/);
      }
    });
  }

  it('of another form stays when a form is hidden, shown and left untouched', async () => {
    const page = await us.open(DESKTOP);
    await page.goto('/date-ideas');
    await page.getByRole('heading', { level: 1, name: 'Date Ideas' }).waitFor();
    const { id } = await addIdea(us.ada, { title: 'A pond', description: 'Green' });
    await page.evaluate((to) => history.pushState(null, '', to), `/date-ideas/${id}/edit`);
    await description(page).fill('Green and still');
    await page.evaluate(() => history.back());
    await expect.poll(() => drafts(page)).toBe(1);
    await page.evaluate(() => history.pushState(null, '', '/date-ideas/add'));
    await title(page).waitFor();
    await setHidden(page, true);
    await setHidden(page, false);
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL('**/date-ideas');
    await page.evaluate((to) => history.pushState(null, '', to), `/date-ideas/${id}/edit`);
    await page.getByText(RESTORED).waitFor();
    await expect.poll(() => description(page).inputValue()).toBe('Green and still');
  });
});

describe('a form that was not left after all', () => {
  const us = useCouple();

  it('still asks and keeps its draft', async () => {
    const page = await us.open(DESKTOP);
    await page.route('**/assets/sign-out-question-*.js', (route) => route.abort());
    await page.goto('/date-ideas/add');
    await title(page).fill('Half a thought');
    const question = page.getByRole('alertdialog', {
      name: 'You have unsaved changes. Are you sure you want to leave?',
    });
    await page.getByRole('button', { name: 'Ada' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('alert').getByText('so you are still signed in.', { exact: false }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Memories' }).click();
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(await title(page).inputValue()).toBe('Half a thought');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText(RESTORED).waitFor();
    await expect.poll(() => title(page).inputValue()).toBe('Half a thought');
  });
});
