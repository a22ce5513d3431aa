import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea, planDate, startDate } from '../../../../tests/support/factories.ts';
import { acceptCalls, failCalls, refuseCalls } from '../../../../tests/support/handle-calls.ts';
import { address, type Couple, registerUs, show } from '../../../../tests/support/screens.tsx';
import { openOutbox } from '../../../base/web/storage/outbox-database.ts';

let us: Couple;
beforeAll(async () => {
  us = await registerUs();
});
beforeEach(() => page.viewport(1280, 800));

const FORMS = [
  {
    form: 'to edit an idea',
    path: async () => `/date-ideas/${(await addIdea(us.ada, { title: 'A hill' })).id}/edit`,
    field: 'Description',
    send: 'Save Changes',
    call: 'PUT /api/DateIdeas/*',
  },
  {
    form: 'to plan',
    path: async () => `/date-ideas/${(await addIdea(us.ada, { title: 'A lake' })).id}/plan`,
    field: 'Notes',
    send: 'Plan This Date',
    call: 'POST /api/PlannedDates',
  },
  {
    form: 'to edit a date',
    path: async () => `/planned-dates/${(await planDate(us.ada, { idea: { title: 'A pier' } })).id}/edit`,
    field: 'Notes',
    send: 'Save Changes',
    call: 'PUT /api/PlannedDates/*',
  },
  {
    form: 'to complete',
    path: async () =>
      `/planned-dates/${(await startDate(us.ada, { idea: { title: 'A fort' }, at: Date.now() })).id}/complete`,
    fill: 'Now',
    field: 'Notes',
    send: 'Complete Date',
    call: 'POST /api/PlannedDates/*/complete',
  },
] as const;

/** No form of ideas and dates loses its input, whatever happens to the network or the page. */
describe('a form', () => {
  it.each(FORMS)(
    'keeps its text when the server fails, while offline and when it is opened again: $form',
    { tags: ['screens.forms.7', 'uploads.sending.15'] },
    async ({ form, path, field, send, call, ...more }) => {
      const at = await path();
      await show(at, us.ada);
      const text = page.getByLabelText(field, { exact: true });
      const button = page.getByRole('button', { name: send });
      await text.fill('Half a sentence');
      if ('fill' in more) await page.getByRole('button', { name: more.fill, exact: true }).click();
      const alert = page.getByRole('alert').filter({ hasText: /Failed to \w+ \w+.* Please try again\./ });
      // The last one is from something between the page and the server.
      const everyFailure = [() => failCalls(call), () => refuseCalls(call, 500), () => acceptCalls(call)];
      for (const fail of everyFailure.slice(0, form === 'to plan' ? 3 : 1)) {
        const repair = fail();
        await button.click();
        await alert.getByRole('button', { name: 'Dismiss' }).click();
        await expect.element(alert).not.toBeInTheDocument();
        await expect.element(text).toHaveValue('Half a sentence');
        repair();
      }
      await show(at, us.ada);
      await expect.element(page.getByText('We restored what you had written.')).toBeVisible();
      await expect.element(text).toHaveValue('Half a sentence');
      await button.click();
      await expect.poll(address).not.toBe(at);
    },
  );
});

describe('the draft of a form', () => {
  const description = page.getByLabelText('Description');
  const drafts = async () => {
    const all = await (await openOutbox()).getAll('words');
    return all.filter(({ owner }) => owner === us.ada.user.id);
  };

  it.each([
    { how: 'Cancel', leave: () => page.getByRole('link', { name: 'Cancel' }), next: 'Cold' },
    {
      how: 'a link',
      leave: () => page.getByRole('navigation').getByRole('link', { name: 'Memories' }),
      next: 'Cold',
    },
    { how: 'a save', leave: () => page.getByRole('button', { name: 'Save Changes' }), next: 'Cold and deep' },
  ])('does not come back if $how leaves the form', { tags: ['screens.forms.3'] }, async ({ leave, next }) => {
    const { id } = await addIdea(us.ada, { title: 'A lake', description: 'Cold' });
    const path = `/date-ideas/${id}/edit`;
    await show(path, us.ada);
    await description.fill('Cold and deep');
    await expect.poll(drafts).toHaveLength(1);
    await leave().click();
    await expect.poll(address).not.toBe(path);
    await expect.poll(drafts).toEqual([]);
    history.pushState(null, '', path);
    await expect.element(description).toHaveValue(next);
  });

  it('goes when the form is put back to what it was', { tags: ['screens.forms.3'] }, async () => {
    await show('/date-ideas/add', us.ada);
    const title = page.getByLabelText('Title', { exact: true });
    await title.fill('Half a thought');
    await expect.poll(drafts).toHaveLength(1);
    await title.fill('');
    await expect.poll(drafts).toEqual([]);
  });
});
