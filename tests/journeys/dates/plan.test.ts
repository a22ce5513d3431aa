import { describe, expect, it } from 'vitest';
import { addIdea, planDate } from '../../support/factories.ts';
import { letReactRender } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';
import { DESKTOP, PHONE } from '../../support/use-chromium.ts';
import { storedRows } from '../stored-rows.ts';

/** Planning a date from an idea. */
describe('planning a date', () => {
  const us = useCouple();

  it("opens with tomorrow evening and the place in the idea's description, and leads to the new date", {
    tags: ['dates.plan.1', 'dates.plan.2', 'dates.plan.3', 'dates.plan.6', 'dates.plan.7'],
  }, async () => {
    const idea = await addIdea(us.ada, {
      title: 'The museum nobody visits',
      description: 'One room only, at La Specola. Then home.',
      category: 'Cultural',
    });
    const page = await us.open({ ...PHONE, timezoneId: 'Pacific/Auckland' });
    // Friday, 11:45 p.m. in Auckland, and still morning in UTC.
    await page.clock.setFixedTime('2026-11-20T10:45:00Z');
    await page.goto(`/date-ideas/${idea.id}/plan`);
    await page.getByRole('heading', { level: 1, name: 'Plan a Date' }).waitFor();
    const card = page.getByRole('article').first();
    await expect
      .poll(() => card.innerText())
      .toMatch(/Cultural[\s\S]*The museum nobody visits[\s\S]*La Specola[\s\S]*0 times planned/);
    const start = page.getByLabel('Date and time');
    const end = page.getByLabel('End time');
    await expect.poll(() => start.inputValue()).toBe('2026-11-21T19:00');
    expect(await start.getAttribute('min')).toBe('2026-11-20T23:45');
    expect(await start.getAttribute('max')).toBe('2028-11-20T23:45');
    expect(await end.getAttribute('min')).toBe('2026-11-20T23:45');
    await expect.poll(() => page.getByLabel('Location').inputValue()).toBe('La Specola');
    for (const [name, value] of [
      ['Today Evening', '2026-11-20T19:00'],
      ['This Weekend', '2026-11-21T14:00'],
      ['Next Week', '2026-11-27T19:00'],
      ['Tomorrow Evening', '2026-11-21T19:00'],
    ] as const) {
      const fill = page.getByRole('button', { name });
      await fill.click();
      await expect.poll(() => start.inputValue()).toBe(value);
      await expect.poll(() => fill.getAttribute('aria-pressed')).toBe('true');
    }
    await end.fill('2026-11-21T22:30');
    await page.getByLabel('Notes').fill('  Bring the small notebook. ');
    // The notice is gone after five seconds.
    const notice = page.getByRole('status').getByText('Our date is planned.').waitFor();
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await Promise.all([notice, page.waitForURL(/\/planned-dates\/[0-9a-f-]{36}$/)]);
    const { body } = await us.ada.call('GET /api/PlannedDates');
    expect(body).toMatchObject([
      {
        plannedDateTime: '2026-11-21T06:00:00.000Z',
        endDateTime: '2026-11-21T09:30:00.000Z',
        location: 'La Specola',
        notes: 'Bring the small notebook.',
      },
    ]);
  });

  it("Cancel goes back in the app's history, and asks if something was typed", { tags: ['dates.plan.8'] }, async () => {
    const idea = await addIdea(us.ada);
    const page = await us.open(DESKTOP);
    const cancel = page.getByRole('button', { name: 'Cancel' });
    // Opened directly, it has no history to go back to.
    await page.goto(`/date-ideas/${idea.id}/plan`);
    await cancel.click();
    await page.waitForURL('**/date-ideas');

    await page.goto('/planned-dates');
    await page.getByRole('heading', { name: 'Our Dates', level: 1 }).waitFor();
    await page.evaluate((path) => history.pushState(null, '', path), `/date-ideas/${idea.id}/plan`);
    await page.getByLabel('Location').fill('The pier');
    await cancel.click();
    const question = page.getByRole('alertdialog', {
      name: 'You have unsaved changes. Are you sure you want to leave?',
    });
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('Location').inputValue()).toBe('The pier');
    await cancel.click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/planned-dates');
  });

  it('does not change a form in use when the partner changes something', { tags: ['screens.forms.8'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Before', description: 'We meet at the pier.' });
    const page = await us.open(PHONE);
    // A change before the page is connected to the live changes would not reach it.
    const connected = page.waitForResponse('**/api/events');
    await page.goto(`/date-ideas/${idea.id}/plan`);
    await connected;
    await page.getByLabel('Notes').fill('Half a sen');
    // The page stores an answer when it has read it.
    const stored = async () => JSON.stringify((await storedRows(page, 'last-seen', 'answers')).values);
    await us.ben.call('PUT /api/DateIdeas/{id}', {
      params: { id: idea.id },
      body: { title: 'After', description: 'We meet at the lake.', category: 'Outdoor' },
    });
    await expect.poll(stored).toContain('We meet at the lake.');
    await letReactRender(page);
    await page.getByLabel('Notes').press('End');
    await page.keyboard.type('tence');
    expect(await page.getByLabel('Notes').inputValue()).toBe('Half a sentence');
    expect(await page.getByLabel('Location').inputValue()).toBe('the pier');
    await planDate(us.ben, { idea: idea.id });
    await expect.poll(stored).toContain('"plannedDatesCount":1');
    await letReactRender(page);
    expect(await page.getByLabel('Notes').inputValue()).toBe('Half a sentence');
    expect(await page.getByLabel('Location').inputValue()).toBe('the pier');
  });
});
