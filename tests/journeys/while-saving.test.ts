import { beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, holdRequests } from '../support/browser.ts';
import { addIdea, completeDate, planDate, startDate } from '../support/factories.ts';
import { useCouple } from '../support/use-app.ts';

const HOUR = 3_600_000;

/** While a form is sent, its fields take no more text: it would be gone once the form is saved. */
describe('a form that is being saved', () => {
  const us = useCouple();
  const ids = { idea: '', edited: '', planned: '', running: '', over: '' };
  beforeAll(async () => {
    ids.idea = (await addIdea(us.ada)).id;
    ids.edited = (await addIdea(us.ada)).id;
    ids.planned = (await planDate(us.ada, { idea: ids.idea, at: Date.now() + 24 * HOUR })).id;
    ids.running = (await startDate(us.ada, { idea: ids.idea, at: Date.now() - HOUR })).id;
    ids.over = (await completeDate(us.ada, { idea: ids.idea, at: Date.now() - 24 * HOUR, minutes: 60 })).id;
  });

  it.each([
    { form: 'adding an idea', path: () => '/date-ideas/add', field: 'Title', save: 'Save Idea', call: 'DateIdeas' },
    {
      form: 'editing an idea',
      path: () => `/date-ideas/${ids.edited}/edit`,
      field: 'Description',
      save: 'Save Changes',
      call: 'DateIdeas/*',
    },
    {
      form: 'planning a date',
      path: () => `/date-ideas/${ids.idea}/plan`,
      fill: 'Today Evening',
      field: 'Notes',
      save: 'Plan This Date',
      call: 'PlannedDates',
    },
    {
      form: 'editing a date',
      path: () => `/planned-dates/${ids.planned}/edit`,
      field: 'Notes',
      save: 'Save Changes',
      call: 'PlannedDates/*',
    },
    {
      form: 'completing a date',
      path: () => `/planned-dates/${ids.running}/complete`,
      fill: 'Now',
      field: 'Notes',
      save: 'Complete Date',
      call: 'PlannedDates/*/complete',
    },
    {
      form: 'sealing a note',
      path: () => `/planned-dates/${ids.over}`,
      field: 'My note',
      save: 'Seal my note',
      call: 'PlannedDates/*/notes/mine',
    },
  ])(
    'takes no more text until it is saved, and again after a failure: $form',
    async ({ path, fill, field, save, call }) => {
      const page = await us.open(DESKTOP);
      await page.goto(path());
      const text = page.getByRole('textbox', { name: field, exact: true });
      const button = page.getByRole('button', { name: save });
      if (fill) await page.getByRole('button', { name: fill, exact: true }).click();
      await text.fill('We laughed');
      await page.route(`**/api/${call}`, (route) =>
        route.request().method() === 'GET' ? route.fallback() : route.abort(),
      );
      await button.click();
      await page.getByRole('alert').first().waitFor();
      await page.unroute(`**/api/${call}`);
      await text.focus();
      await page.keyboard.press('End');
      await page.keyboard.type(', and it rained');
      expect(await text.inputValue()).toBe('We laughed, and it rained');

      const answer = await holdRequests(page, `**/api/${call}`);
      const asked = page.waitForRequest((request) => request.method() !== 'GET');
      await button.click();
      await asked;
      await text.focus();
      await page.keyboard.press('End');
      await page.keyboard.type(', too late');
      expect(await text.inputValue()).toBe('We laughed, and it rained');
      answer();
      await text.waitFor({ state: 'detached' });
    },
  );
});
