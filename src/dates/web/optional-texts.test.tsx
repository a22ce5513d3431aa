import { beforeAll, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea, completeDate, planDate } from '../../../tests/support/factories.ts';
import { address, type Couple, registerUs, show } from '../../../tests/support/screens.tsx';
import { eachOptionalText, OPTIONAL_TEXTS, optionalTextNames } from '../optional-texts.ts';

const texts = eachOptionalText((name) => `Written as ${name}`);

/** What holds for each optional text of a date, also for one that is added. */
describe.each(optionalTextNames)('the optional text %s of a date', (name) => {
  const field = page.getByRole('textbox', { name: OPTIONAL_TEXTS[name].label });
  let us: Couple;
  let planned: string;
  beforeAll(async () => {
    us = await registerUs();
    ({ id: planned } = await planDate(us.ada, texts));
  });

  const press = async (button: string) => {
    await page.getByRole('button', { name: button }).click();
    await expect.element(page.getByRole('status').filter({ hasText: /^Our date is/ })).toBeInTheDocument();
  };

  it('is planned by the form, and shown by the details', { tags: ['dates.texts.2', 'dates.texts.3'] }, async () => {
    const { id } = await addIdea(us.ada);
    await show(`/date-ideas/${id}/plan`, us.ada);
    await field.fill('Typed here');
    await press('Plan This Date');
    await expect.poll(address).toMatch(/^\/planned-dates\/[^/]+$/);
    await expect.element(page.getByText('Typed here').first()).toBeVisible();
  });

  it('is in the edit form', { tags: ['dates.texts.2'] }, async () => {
    await show(`/planned-dates/${planned}/edit`, us.ada);
    await expect.element(field).toHaveValue(texts[name]);
    await field.fill(`Edited ${name}`);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect.poll(address).toBe('/planned-dates');
    const { body } = await us.ada.call('GET /api/PlannedDates/{id}', { params: { id: planned } });
    expect(body[name]).toBe(`Edited ${name}`);
  });

  it('is corrected', { tags: ['dates.texts.2'] }, async () => {
    const { id } = await completeDate(us.ada, { ...texts, at: '2026-01-05T18:00:00Z', minutes: 60 });
    await show(`/planned-dates/${id}/record`, us.ada);
    await expect.element(field).toHaveValue(texts[name]);
    await field.fill(`Corrected ${name}`);
    await press('Save Changes');
    // It must not arrive in the next test.
    await expect.poll(address).not.toContain('/record');
    const { body } = await us.ada.call('GET /api/PlannedDates/{id}', { params: { id } });
    expect(body[name]).toBe(`Corrected ${name}`);
  });

  it('is on the card in the list', { tags: ['dates.texts.3'] }, async () => {
    await planDate(us.ada, { idea: { title: `A card with ${name}` }, [name]: `On the card: ${name}` });
    await show('/planned-dates', us.ada);
    await expect.element(page.getByRole('article').filter({ hasText: `On the card: ${name}` })).toBeVisible();
  });
});
