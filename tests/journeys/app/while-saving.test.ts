import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, holdRequests } from '../../support/browser.ts';
import { addIdea, completeDate, planDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

const HOUR = 3_600_000;

/** While a form is sent, it can't be changed: the change would be gone once the form is saved. */
describe('a form that is being saved', () => {
  const us = useCouple();
  const ids = { idea: '', edited: '', planned: '', running: '', over: '', ending: '', noted: '' };
  beforeAll(async () => {
    ids.idea = (await addIdea(us.ada)).id;
    ids.edited = (await addIdea(us.ada)).id;
    ids.planned = (await planDate(us.ada, { idea: ids.idea, at: Date.now() + 24 * HOUR })).id;
    ids.running = (await startDate(us.ada, { idea: ids.idea, at: Date.now() - HOUR })).id;
    ids.ending = (await startDate(us.ada, { idea: ids.idea, at: Date.now() - HOUR })).id;
    ids.noted = (await completeDate(us.ada, { idea: ids.idea, at: Date.now() - 48 * HOUR, minutes: 60 })).id;
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
    { tags: ['screens.forms.4'] },
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

  const select = (form: Locator, label: string) => ({ control: form.getByLabel(label), key: 'ArrowDown' });
  const check = (form: Locator, label: string) => ({ control: form.getByLabel(label), key: 'Space' });
  const time = (form: Locator, label: string) => ({ control: form.getByLabel(label), key: 'ArrowUp' });
  const button = (form: Locator, name: string) => ({
    control: form.getByRole('button', { name, exact: true }),
    key: 'Enter',
  });

  it.each([
    {
      form: 'adding an idea',
      part: 'Title',
      path: () => '/date-ideas/add',
      fill: (form: Locator) => form.getByLabel('Title').fill('The slow lunch'),
      save: 'Save Idea',
      call: 'DateIdeas',
      controls: (form: Locator) => [
        select(form, 'Category'),
        check(form, 'This date idea is active and available for planning'),
        button(form, 'Surprise me'),
      ],
    },
    {
      form: 'editing an idea',
      part: 'Title',
      path: () => `/date-ideas/${ids.edited}/edit`,
      save: 'Save Changes',
      call: 'DateIdeas/*',
      controls: (form: Locator) => [
        select(form, 'Category'),
        check(form, 'This date idea is active and available for planning'),
      ],
    },
    {
      form: 'planning a date',
      part: 'Date and time',
      path: () => `/date-ideas/${ids.idea}/plan`,
      save: 'Plan This Date',
      call: 'PlannedDates',
      controls: (form: Locator) => [
        button(form, 'Next Week'),
        time(form, 'Date and time'),
        check(form, 'Keep it a surprise'),
      ],
    },
    {
      form: 'editing a date',
      part: 'Date and time',
      path: () => `/planned-dates/${ids.planned}/edit`,
      save: 'Save Changes',
      call: 'PlannedDates/*',
      controls: (form: Locator) => [button(form, 'Next Week 7 PM'), time(form, 'Date and time')],
    },
    {
      form: 'completing a date',
      part: 'Actual end time',
      path: () => `/planned-dates/${ids.ending}/complete`,
      fill: (form: Locator) => form.getByRole('button', { name: 'Now', exact: true }).click(),
      save: 'Complete Date',
      call: 'PlannedDates/*/complete',
      controls: (form: Locator) => [time(form, 'Actual end time'), button(form, '1 hour ago')],
    },
    {
      form: 'sealing a note',
      part: 'My note',
      path: () => `/planned-dates/${ids.noted}`,
      fill: (form: Locator) => form.getByLabel('My note').fill('We laughed'),
      save: 'Seal my note',
      call: 'PlannedDates/*/notes/mine',
      controls: (form: Locator) => [check(form, '4 hearts')],
    },
    {
      form: 'our time zone',
      part: 'Together since',
      path: () => '/settings',
      save: 'Save Time',
      call: 'couple',
      // UTC is the last one.
      controls: (form: Locator) => [{ ...select(form, 'Time zone'), key: 'ArrowUp' }],
    },
  ])(
    'keeps its lists, boxes, times and buttons as they are until it is saved, and not after a failure: $form',
    { tags: ['screens.forms.4'] },
    async ({ path, part, fill, save, call, controls }) => {
      const page = await us.open(DESKTOP);
      await page.goto(path());
      const submit = page.getByRole('button', { name: save });
      const form = page.locator('form', { hasText: part });
      await fill?.(form);
      await submit.waitFor();
      const fail = await failLater(page, `**/api/${call}`);
      const asked = page.waitForRequest((request) => request.method() !== 'GET');
      await submit.click();
      await asked;
      const before = await stateOf(form);
      for (const { control, key } of controls(form)) {
        // Playwright waits for a control that is `aria-disabled`, unless it is forced.
        await control.click({ force: true });
        await control.focus();
        await page.keyboard.press(key);
        expect(await stateOf(form)).toEqual(before);
        expect(await control.evaluate((one) => one === document.activeElement)).toBe(true);
      }
      fail();
      await page.getByRole('alert').first().waitFor();
      for (const { control, key } of controls(form)) {
        const now = await stateOf(form);
        await control.focus();
        await page.keyboard.press(key);
        await expect.poll(() => stateOf(form)).not.toEqual(now);
      }
    },
  );

  it('keeps the chosen end of a date in progress', { tags: ['screens.forms.4'] }, async () => {
    const page = await us.open(DESKTOP);
    await page.clock.setFixedTime(Date.now() + 3 * HOUR);
    await page.goto(`/planned-dates/${ids.ending}/now`);
    await page.getByRole('button', { name: 'End our date' }).click();
    const dialog = page.getByRole('alertdialog');
    const chosen = dialog.locator('[aria-pressed=true]');
    const fail = await failLater(page, '**/api/PlannedDates/*/complete');
    const asked = page.waitForRequest('**/complete');
    await dialog.getByRole('button', { name: 'End our date' }).click();
    await asked;
    const earlier = dialog.getByRole('button', { name: '1 hour ago' });
    await earlier.click({ force: true });
    expect(await chosen.innerText()).toBe('Now');
    fail();
    await dialog.getByRole('alert').waitFor();
    await earlier.click();
    await expect.poll(() => chosen.innerText()).toBe('1 hour ago');
  });
});

/** Holds the calls that change something at this address. Returns a function that lets them fail. */
async function failLater(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await promise;
    await route.abort();
  });
  return resolve;
}

/** The values of a form's controls. */
function stateOf(form: Locator): Promise<unknown[]> {
  return form.evaluate((element) =>
    [...(element as HTMLFormElement).elements].map((control) => [
      (control as HTMLInputElement).value,
      (control as HTMLInputElement).checked,
      control.getAttribute('aria-pressed'),
    ]),
  );
}
