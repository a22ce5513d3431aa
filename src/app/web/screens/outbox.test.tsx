import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea, planDate } from '../../../../tests/support/factories.ts';
import { handleCalls, setOffline, UNTIL_RECONNECTED } from '../../../../tests/support/handle-calls.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { findIssues } from '../../../../tests/support/screen-issues.ts';
import { address, type Couple, registerUs, show } from '../../../../tests/support/screens.tsx';
import { keptCalls } from '../../../base/web/storage/outbox.ts';
import type { DateIdea } from '../../../ideas/contract.ts';

const waiting = page.getByRole('region', { name: 'Waiting to be sent' });
const question = page.getByRole('alertdialog', { name: 'Discard this? It has not been saved anywhere else.' });
const notes = page.getByLabelText('Notes');
const save = page.getByRole('button', { name: 'Save Idea' });
const plan = page.getByRole('button', { name: 'Plan This Date' });

let us: Couple;
beforeEach(async () => {
  await page.viewport(1280, 800);
  us = await registerUs();
});

/** What waits on this device. */
const kept = () => keptCalls(us.ada.user.id);
const titlesOf = async (who: Partner) =>
  (await who.call('GET /api/DateIdeas')).body.map(({ title }) => title).toReversed();
const setActive = ({ id, title, category }: DateIdea, isActive: boolean) =>
  us.ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body: { title, category, isActive } });

/** Adds an idea offline. */
async function addOffline(title: string): Promise<void> {
  await show('/date-ideas/add', us.ada);
  setOffline(true);
  await page.getByLabelText('Title', { exact: true }).fill(title);
  await save.click();
  await expect.element(waiting.getByText(title)).toBeVisible();
}

/** Adds an idea and plans a date from it, both offline. */
async function planNewIdeaOffline(): Promise<void> {
  await addOffline('A boat at dawn');
  await page.getByRole('link', { name: 'Plan This Date' }).click();
  await expect.element(page.getByRole('heading', { name: 'A boat at dawn' }).first()).toBeVisible();
  await page.getByLabelText('Location').fill('The old jetty');
  await plan.click();
  await expect.poll(address).toBe('/planned-dates');
}

/** Plans a date from an idea offline. */
async function planOffline(ideaId: string): Promise<void> {
  await show(`/date-ideas/${ideaId}/plan`, us.ada);
  await expect.element(notes).toBeVisible();
  setOffline(true);
  await notes.fill('The table by the window');
  await plan.click();
  await expect.poll(address).toBe('/planned-dates');
}

/** The server's reply while the first request with a key is still running. */
const stillRunning = () =>
  Response.json(
    { message: 'The first request with this Idempotency-Key is still running.' },
    { status: 409, headers: { 'content-type': 'application/problem+json', 'retry-after': '1' } },
  );

describe('an entry added offline', () => {
  it('can be a date planned from an idea that is waiting too', { tags: ['screens.offline.6'] }, async () => {
    await planNewIdeaOffline();
    await expect.element(waiting.getByText('The old jetty')).toBeVisible();
    setOffline(false);
    await expect.element(page.getByText('1 date found'), UNTIL_RECONNECTED).toBeVisible();
    const { body } = await us.ada.call('GET /api/PlannedDates');
    expect(body.map(({ location, dateIdea }) => [location, dateIdea.title])).toEqual([
      ['The old jetty', 'A boat at dawn'],
    ]);
    expect(await titlesOf(us.ada)).toEqual(['A boat at dawn']);
  });

  it('takes the date planned from it along when it is discarded, after saying so', {
    tags: ['screens.offline.8'],
  }, async () => {
    await planNewIdeaOffline();
    await show('/date-ideas', us.ada);
    await page.getByRole('button', { name: 'Discard: A boat at dawn' }).click();
    await expect.element(question.getByText('What we planned from it is discarded too.')).toBeVisible();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(kept).toEqual([]);
    // What nothing depends on is discarded alone.
    await addOffline('A slow lunch');
    await page.getByRole('button', { name: 'Discard: A slow lunch' }).click();
    await expect.element(question).toBeVisible();
    await expect.element(question.getByText('discarded too')).not.toBeInTheDocument();
    await question.getByRole('button', { name: 'Discard' }).click();
  });

  it('keeps everything typed, and shows the reason, if the server refuses it', async () => {
    const idea = await addIdea(us.ben, { title: 'The slow lunch' });
    await planOffline(idea.id);
    // He deactivates the idea in the meantime, so no date can be planned from it.
    await setActive(idea, false);
    setOffline(false);
    await expect.element(waiting.getByText(/^Not saved: /), UNTIL_RECONNECTED).toBeVisible();
    await expect.element(waiting.getByText('The table by the window')).toBeVisible();
    expect(await findIssues('refused')).toEqual([]);
    await setActive(idea, true);
    await waiting.getByRole('button', { name: 'Edit' }).click();
    await expect.poll(address).toMatch(/\/plan\b/);
    await expect.element(notes).toHaveValue('The table by the window');
    await plan.click();
    await expect.poll(address).toMatch(/\/planned-dates\/[0-9a-f-]{36}/);
    await expect.element(page.getByText('The table by the window')).toBeVisible();
  });

  it('is kept until a form has taken it over, also if its idea was deleted and is added again', {
    tags: ['screens.offline.9'],
  }, async () => {
    const idea = await addIdea(us.ben, { title: 'The slow lunch' });
    await planDate(us.ben, { idea: idea.id });
    await planOffline(idea.id);
    await us.ben.call('DELETE /api/DateIdeas/{id}', { params: { id: idea.id } });
    setOffline(false);
    await expect.element(waiting.getByText(/^Not saved: /), UNTIL_RECONNECTED).toBeVisible();
    await waiting.getByRole('button', { name: 'Edit' }).click();
    await expect.element(page.getByText('This idea was deleted.', { exact: false })).toBeVisible();
    history.back();
    await expect.element(waiting.getByText('The table by the window')).toBeVisible();
    await waiting.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Add it again' }).click();
    await expect.poll(() => address().includes('/plan') && !address().includes(idea.id)).toBe(true);
    await expect.element(notes).toHaveValue('The table by the window');
    await expect.poll(kept).toEqual([]);
    await plan.click();
    await expect.poll(address).toMatch(/\/planned-dates\/[0-9a-f-]{36}/);
    await expect.element(page.getByText('The table by the window')).toBeVisible();
  });

  it('does not come back in a form once it is discarded', {
    tags: ['screens.controls.4', 'screens.offline.9'],
  }, async () => {
    const idea = await addIdea(us.ben, { title: 'The slow lunch' });
    await planOffline(idea.id);
    await setActive(idea, false);
    setOffline(false);
    await expect.element(waiting.getByText(/^Not saved: /), UNTIL_RECONNECTED).toBeVisible();
    await waiting.getByRole('button', { name: 'Edit' }).click();
    await expect.element(page.getByRole('button', { name: 'Make it active again' })).toBeVisible();
    history.back();
    await waiting.getByRole('button', { name: /^Discard/ }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect.element(waiting).not.toBeInTheDocument();
    await expect.poll(() => document.activeElement?.id).toBe('main');
    await setActive(idea, true);
    await show(`/date-ideas/${idea.id}/plan`, us.ada);
    await expect.element(notes).toHaveValue('');
  });

  it('waits while the first attempt is still running, and is saved once under the same key', {
    tags: ['screens.offline.7'],
  }, async () => {
    await addOffline('The first answer was lost');
    const keys: (string | null)[] = [];
    handleCalls('POST /api/DateIdeas', (ask, headers) => {
      keys.push(headers.get('idempotency-key'));
      return keys.length <= 2 ? stillRunning() : ask();
    });
    const seen: string[] = [];
    const look = new MutationObserver(() => {
      const text = document.body.textContent;
      if (text.includes('Not saved')) seen.push(text);
    });
    look.observe(document.body, { subtree: true, childList: true, characterData: true });
    setOffline(false);
    await expect.element(page.getByText('1 idea found'), UNTIL_RECONNECTED).toBeVisible();
    look.disconnect();
    expect(seen).toEqual([]);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(await titlesOf(us.ada)).toEqual(['The first answer was lost']);
  });

  it('waits the same way if it was sent while online', { tags: ['screens.offline.7'] }, async () => {
    await show('/date-ideas/add', us.ada);
    const keys: (string | null)[] = [];
    handleCalls('POST /api/DateIdeas', async (ask, headers) => {
      keys.push(headers.get('idempotency-key'));
      // It reached the server, but the reply was lost: the page retries while the first request is still running.
      if (keys.length === 1) {
        await ask();
        throw new TypeError('Failed to fetch');
      }
      return keys.length === 2 ? stillRunning() : ask();
    });
    await page.getByLabelText('Title', { exact: true }).fill('Only once');
    await save.click();
    await expect.element(page.getByRole('alert')).toBeVisible();
    await save.click();
    await expect.element(page.getByText('1 idea found')).toBeVisible();
    expect(new Set(keys).size).toBe(1);
    expect(await titlesOf(us.ada)).toEqual(['Only once']);
  });

  it('counts as sent if the server created it long ago and it was deleted since', {
    tags: ['screens.offline.15'],
  }, async () => {
    await addOffline('Deleted long ago');
    handleCalls('POST /api/DateIdeas', () =>
      Response.json(
        { message: 'This was saved before, and deleted since.' },
        { status: 410, headers: { 'content-type': 'application/problem+json' } },
      ),
    );
    setOffline(false);
    await expect.element(waiting, UNTIL_RECONNECTED).not.toBeInTheDocument();
    expect(await kept()).toEqual([]);
  });
});
