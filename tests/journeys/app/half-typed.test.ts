import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addIdea, planDate, startDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

const INCOMPLETE = 'Please enter a complete date and time';

/** Clears a date or time field and types its first part. Its value is then empty, although it shows the typed part. */
async function halfType(field: Locator): Promise<void> {
  await field.fill('');
  await field.focus();
  await field.page().keyboard.type('11');
  await expect.poll(() => isHalfTyped(field)).toBe(true);
}

function isHalfTyped(field: Locator): Promise<boolean> {
  return field.evaluate((input: HTMLInputElement) => input.value === '' && input.validity.badInput);
}

/** Records the URLs of the page's write requests. */
function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    const isWrite = ['POST', 'PUT'].includes(request.method());
    if (isWrite && /PlannedDates|couple/.test(request.url())) writes.push(request.url());
  });
  return writes;
}

describe('a date or time that is only partly typed', () => {
  const us = useCouple();

  const forms = [
    {
      form: 'plan',
      path: async () => `/date-ideas/${(await addIdea(us.ada)).id}/plan`,
      submit: 'Plan This Date',
      fields: ['Date and time', 'End time'],
    },
    {
      form: 'edit',
      path: async () => `/planned-dates/${(await planDate(us.ada, { end: Date.now() + 90_000_000 })).id}/edit`,
      submit: 'Save Changes',
      fields: ['Date and time', 'End time'],
    },
    {
      form: 'complete',
      path: async () => `/planned-dates/${(await startDate(us.ada)).id}/complete`,
      submit: 'Complete Date',
      fields: ['Actual start time', 'Actual end time'],
    },
  ];

  it.each(forms)(
    'is refused, kept and not sent by the $form form',
    { tags: ['screens.forms.6'] },
    async ({ path, submit, fields }) => {
      const page = await us.open();
      const writes = writesOf(page);
      await page.goto(await path());
      const button = page.getByRole('button', { name: submit, exact: true });
      for (const name of fields) {
        const field = page.getByLabel(name, { exact: true });
        const before = await field.inputValue();
        await halfType(field);
        // Enter submits the form from the field.
        await page.keyboard.press('Enter');
        await page.getByText(INCOMPLETE).waitFor();
        await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
        // Another field is validated on its own; this one is still invalid.
        await page.getByLabel('Notes').fill(`Something about ${name}`);
        await page.getByLabel('Notes').blur();
        await page.getByText(INCOMPLETE).waitFor();
        await expect.poll(() => button.isDisabled()).toBe(true);
        expect(await isHalfTyped(field)).toBe(true);
        await field.fill(before === '' ? '2026-11-20T20:00' : before);
        await page.getByText(INCOMPLETE).waitFor({ state: 'detached' });
      }
      expect(writes).toEqual([]);
    },
  );

  it('is reported on blur, and survives the next minute', async () => {
    const page = await us.open();
    await page.clock.install();
    await page.goto(await (forms[0]?.path() ?? ''));
    const [start, end] = [page.getByLabel('Date and time'), page.getByLabel('End time')];
    const earliest = await start.getAttribute('min');
    await halfType(end);
    // The pickers' limits advance with the time, also while somebody types.
    const passTwoMinutes = async () => {
      const before = await start.getAttribute('min');
      await page.clock.fastForward(120_000);
      await expect.poll(() => start.getAttribute('min')).not.toBe(before);
      expect(await isHalfTyped(end)).toBe(true);
    };
    await passTwoMinutes();
    await page.getByLabel('Location').focus();
    await page.getByText(INCOMPLETE).waitFor();
    await passTwoMinutes();
    await page.getByText(INCOMPLETE).waitFor();
    await end.fill('2026-11-20T20:00');
    await end.blur();
    await expect.poll(() => end.getAttribute('min')).not.toBe(earliest);
  });

  it('is refused in the settings', { tags: ['screens.forms.6'] }, async () => {
    const page = await us.open();
    const writes = writesOf(page);
    await page.goto('/settings');
    const since = page.getByLabel('Together since');
    await halfType(since);
    await page.getByRole('button', { name: 'Save Time' }).click();
    await page.getByText('Please enter a complete date', { exact: true }).waitFor();
    expect(await isHalfTyped(since)).toBe(true);
    expect(writes).toEqual([]);
    await since.fill('2019-06-01');
    await page.getByRole('button', { name: 'Save Time' }).click();
    await page.getByText('Our time settings are saved').waitFor();
  });
});
