import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { addIdea, planDate, startDate } from '../../../../tests/support/factories.ts';
import { handleCalls } from '../../../../tests/support/handle-calls.ts';
import { type Couple, focus, registerUs, show } from '../../../../tests/support/screens.tsx';
import { DAY, HOUR, MINUTE } from '../../../base/durations.ts';

let us: Couple;
const ids = { idea: '', planned: '', ending: '' };
beforeAll(async () => {
  await page.viewport(1280, 800);
  us = await registerUs();
  ids.idea = (await addIdea(us.ada)).id;
  ids.planned = (await planDate(us.ada, { idea: ids.idea, at: Date.now() + DAY, end: Date.now() + DAY + HOUR })).id;
  ids.ending = (await startDate(us.ada, { idea: ids.idea, at: Date.now() - HOUR })).id;
});

describe('a date or time that is only partly typed', () => {
  const INCOMPLETE = 'Please enter a complete date and time';
  const isHalfTyped = (field: Locator) => {
    const { value, validity } = field.element() as HTMLInputElement;
    return value === '' && validity.badInput;
  };
  /** Clears a date or time field and types its first part. Its value is then empty, although it shows that part. */
  const halfType = async (field: Locator) => {
    await field.fill('');
    focus(field);
    await userEvent.keyboard('11');
    await expect.poll(() => isHalfTyped(field)).toBe(true);
  };

  it.each([
    {
      form: 'plan',
      path: () => `/date-ideas/${ids.idea}/plan`,
      submit: 'Plan This Date',
      fields: ['Date and time', 'End time'],
      call: 'POST /api/PlannedDates',
    },
    {
      form: 'edit',
      path: () => `/planned-dates/${ids.planned}/edit`,
      submit: 'Save Changes',
      fields: ['Date and time', 'End time'],
      call: 'PUT /api/PlannedDates/*',
    },
    {
      form: 'complete',
      path: () => `/planned-dates/${ids.ending}/complete`,
      submit: 'Complete Date',
      fields: ['Actual start time', 'Actual end time'],
      call: 'POST /api/PlannedDates/*/complete',
    },
  ] as const)(
    'is refused, kept and not sent by the $form form',
    { tags: ['screens.forms.6'] },
    async ({ path, submit, fields, call }) => {
      const sent = vi.fn<() => void>();
      handleCalls(call, (ask) => {
        sent();
        return ask();
      });
      await show(path(), us.ada);
      const button = page.getByRole('button', { name: submit, exact: true });
      for (const name of fields) {
        const field = page.getByLabelText(name, { exact: true });
        await expect.element(field).toBeVisible();
        const { value } = field.element() as HTMLInputElement;
        await halfType(field);
        // Enter submits the form from the field.
        await userEvent.keyboard('{Enter}');
        await expect.element(page.getByText(INCOMPLETE)).toBeVisible();
        await expect.element(field).toHaveAttribute('aria-invalid', 'true');
        // Another field is validated on its own; this one is still invalid.
        await page.getByLabelText('Notes').fill(`Something about ${name}`);
        (page.getByLabelText('Notes').element() as HTMLElement).blur();
        await expect.element(page.getByText(INCOMPLETE)).toBeVisible();
        await expect.element(button).toBeDisabled();
        expect(isHalfTyped(field)).toBe(true);
        await field.fill(value === '' ? '2026-11-20T20:00' : value);
        await expect.element(page.getByText(INCOMPLETE)).not.toBeInTheDocument();
      }
      expect(sent).not.toHaveBeenCalled();
    },
  );

  it('is reported on blur, and survives the next minute', { tags: ['screens.forms.6'] }, async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await show(`/date-ideas/${ids.idea}/plan`, us.ada);
    const [start, end] = [page.getByLabelText('Date and time'), page.getByLabelText('End time')];
    await expect.element(start).toHaveAttribute('min');
    await halfType(end);
    // The pickers' limits advance with the time, also while somebody types.
    const before = start.element().getAttribute('min');
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    await expect.poll(() => start.element().getAttribute('min')).not.toBe(before);
    expect(isHalfTyped(end)).toBe(true);
    focus(page.getByLabelText('Location'));
    await expect.element(page.getByText(INCOMPLETE)).toBeVisible();
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    await expect.element(page.getByText(INCOMPLETE)).toBeVisible();
    vi.useRealTimers();
  });

  it('is refused in the settings', { tags: ['screens.forms.6'] }, async () => {
    await show('/settings', us.ada);
    const since = page.getByLabelText('Together since');
    await halfType(since);
    await page.getByRole('button', { name: 'Save Time' }).click();
    await expect.element(page.getByText('Please enter a complete date', { exact: true })).toBeVisible();
    expect(isHalfTyped(since)).toBe(true);
    await since.fill('2019-06-01');
    await page.getByRole('button', { name: 'Save Time' }).click();
    await expect.element(page.getByText('Our time settings are saved')).toBeVisible();
  });
});
