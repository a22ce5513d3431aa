import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { addIdea, completeDate, planDate, startDate } from '../../../../tests/support/factories.ts';
import { failCalls, holdCalls } from '../../../../tests/support/handle-calls.ts';
import { type Couple, focus, registerUs, show } from '../../../../tests/support/screens.tsx';
import { DAY, HOUR } from '../../../base/durations.ts';

let us: Couple;
const ids = { idea: '', edited: '', planned: '', ending: '', noted: '' };
beforeAll(async () => {
  await page.viewport(1280, 800);
  us = await registerUs();
  ids.idea = (await addIdea(us.ada)).id;
  ids.edited = (await addIdea(us.ada)).id;
  ids.planned = (await planDate(us.ada, { idea: ids.idea, at: Date.now() + DAY, end: Date.now() + DAY + HOUR })).id;
  ids.ending = (await startDate(us.ada, { idea: ids.idea, at: Date.now() - HOUR })).id;
  ids.noted = (await completeDate(us.ada, { idea: ids.idea, at: Date.now() - 2 * DAY, minutes: 60 })).id;
});

/** The values of a form's controls. */
function stateOf(form: Locator): unknown[] {
  return [...(form.element() as HTMLFormElement).elements].map((control) => [
    (control as HTMLInputElement).value,
    (control as HTMLInputElement).checked,
    control.getAttribute('aria-pressed'),
  ]);
}

/** Types at the end of a field. */
async function append(field: Locator, words: string): Promise<void> {
  focus(field);
  await userEvent.keyboard(`{End}${words}`);
}

/** While a form is sent, it can't be changed: the change would be gone once the form is saved. */
describe('a form that is being saved', () => {
  it.each([
    {
      form: 'editing an idea',
      path: () => `/date-ideas/${ids.edited}/edit`,
      field: 'Description',
      save: 'Save Changes',
      call: 'PUT /api/DateIdeas/*',
    },
    {
      form: 'editing a date',
      path: () => `/planned-dates/${ids.planned}/edit`,
      field: 'Notes',
      save: 'Save Changes',
      call: 'PUT /api/PlannedDates/*',
    },
  ] as const)(
    'takes no more text until it is saved, and again after a failure: $form',
    { tags: ['screens.forms.4'] },
    async ({ path, field, save, call }) => {
      await show(path(), us.ada);
      const text = page.getByRole('textbox', { name: field, exact: true });
      const button = page.getByRole('button', { name: save });
      await text.fill('We laughed');
      const repair = failCalls(call);
      await button.click();
      await expect.element(page.getByRole('alert').first()).toBeVisible();
      repair();
      await append(text, ', and it rained');
      await expect.element(text).toHaveValue('We laughed, and it rained');

      const held = holdCalls(call);
      await button.click();
      await held.asked;
      await append(text, ', too late');
      await expect.element(text).toHaveValue('We laughed, and it rained');
      held.release();
      await expect.element(text).not.toBeInTheDocument();
    },
  );

  const select = (form: Locator, label: string) => ({ control: form.getByLabelText(label), key: '{ArrowDown}' });
  const check = (form: Locator, label: string) => ({ control: form.getByLabelText(label), key: ' ' });
  const words = (form: Locator, label: string) => ({ control: form.getByLabelText(label), key: 'x' });
  const time = (form: Locator, label: string) => ({ control: form.getByLabelText(label), key: '{ArrowUp}' });
  const button = (form: Locator, name: string) => ({
    control: form.getByRole('button', { name, exact: true }),
    key: '{Enter}',
  });

  it.each([
    {
      form: 'adding an idea',
      path: () => '/date-ideas/add',
      fill: (form: Locator) => form.getByLabelText('Title').fill('The slow lunch'),
      save: 'Save Idea',
      call: 'POST /api/DateIdeas',
      controls: (form: Locator) => [
        words(form, 'Description'),
        select(form, 'Category'),
        check(form, 'This date idea is active and available for planning'),
        button(form, 'Surprise me'),
      ],
    },
    {
      form: 'planning a date',
      path: () => `/date-ideas/${ids.idea}/plan`,
      fill: () => undefined,
      save: 'Plan This Date',
      call: 'POST /api/PlannedDates',
      controls: (form: Locator) => [
        button(form, 'Next Week'),
        time(form, 'Date and time'),
        words(form, 'Notes'),
        check(form, 'Keep it a surprise'),
      ],
    },
    {
      form: 'completing a date',
      path: () => `/planned-dates/${ids.ending}/complete`,
      fill: (form: Locator) => form.getByRole('button', { name: 'Now', exact: true }).click(),
      save: 'Complete Date',
      call: 'POST /api/PlannedDates/*/complete',
      controls: (form: Locator) => [words(form, 'Notes'), time(form, 'Actual end time'), button(form, '1 hour ago')],
    },
    {
      form: 'sealing a note',
      path: () => `/planned-dates/${ids.noted}`,
      fill: (form: Locator) => form.getByLabelText('My note').fill('We laughed'),
      save: 'Seal my note',
      call: 'PUT /api/PlannedDates/*/notes/mine',
      controls: (form: Locator) => [words(form, 'My note'), check(form, '4 hearts')],
    },
  ] as const)(
    'keeps its words, lists, boxes, times and buttons as they are until it is saved, and not after a failure: $form',
    { tags: ['screens.forms.4'] },
    async ({ path, fill, save, call, controls }) => {
      await show(path(), us.ada);
      const submit = page.getByRole('button', { name: save });
      await expect.element(submit).toBeVisible();
      const form = page.elementLocator(submit.element().closest('form') as Element);
      await fill(form);
      const held = holdCalls(call, 'break');
      await submit.click();
      await held.asked;
      const before = stateOf(form);
      for (const { control, key } of controls(form)) {
        (control.element() as HTMLElement).click();
        focus(control);
        await userEvent.keyboard(key);
        expect(stateOf(form)).toEqual(before);
        expect(control.element()).toBe(document.activeElement);
      }
      held.release();
      await expect.element(page.getByRole('alert').first()).toBeVisible();
      for (const { control, key } of controls(form)) {
        const now = stateOf(form);
        focus(control);
        await userEvent.keyboard(key);
        await expect.poll(() => stateOf(form)).not.toEqual(now);
      }
    },
  );
});

describe('the end of a date in progress', () => {
  afterEach(() => vi.useRealTimers());

  it('stays as chosen while it is saved', { tags: ['screens.forms.4'] }, async () => {
    vi.useFakeTimers({ now: Date.now() + 3 * HOUR, toFake: ['Date'] });
    await show(`/planned-dates/${ids.ending}/now`, us.ada);
    await page.getByRole('button', { name: 'End our date' }).click();
    const dialog = page.getByRole('alertdialog');
    const chosen = () => dialog.element().querySelector('[aria-pressed=true]')?.textContent;
    const held = holdCalls('POST /api/PlannedDates/*/complete', 'break');
    await dialog.getByRole('button', { name: 'End our date' }).click();
    await held.asked;
    const earlier = dialog.getByRole('button', { name: '1 hour ago' });
    (earlier.element() as HTMLElement).click();
    expect(chosen()).toBe('Now');
    held.release();
    await expect.element(dialog.getByRole('alert')).toBeVisible();
    await earlier.click();
    await expect.poll(chosen).toBe('1 hour ago');
  });
});
