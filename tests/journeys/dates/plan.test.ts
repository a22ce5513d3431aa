import { describe, expect, it } from 'vitest';
import { answerOnce } from '../../support/answer-once.ts';
import { DESKTOP, gotoLive, letReactRender, PHONE } from '../../support/browser.ts';
import { registerCouple } from '../../support/client.ts';
import { addIdea, planDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';
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

  it('shows errors beside their fields', { tags: ['dates.plan.1', 'dates.plan.4'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Fort' });
    const page = await us.open(DESKTOP);
    await page.goto(`/date-ideas/${idea.id}/plan`);
    const start = page.getByLabel('Date and time');
    const submit = page.getByRole('button', { name: 'Plan This Date' });
    await start.waitFor();
    await page.getByText('No description provided').waitFor();
    await start.fill('');
    await page.getByText('Date and time is required').waitFor();
    await expect.poll(() => submit.isDisabled()).toBe(true);
    const year = new Date().getFullYear();
    await start.fill(`${year + 3}-01-01T19:00`);
    await page.getByText('Date and time cannot be more than two years ahead').waitFor();
    await start.fill(`${year + 1}-06-01T19:00`);
    await page.getByLabel('End time').fill(`${year + 1}-06-01T19:00`);
    await page.getByText('End time must be after start time').waitFor();
    await expect.poll(() => page.getByLabel('End time').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('End time').fill(`${year + 1}-06-01T21:00`);
    await page.getByText('End time must be after start time').waitFor({ state: 'detached' });
    // The end is validated again when the start changes.
    await start.fill(`${year + 1}-06-01T22:00`);
    await page.getByText('End time must be after start time').waitFor();
    await page.getByLabel('End time').fill('');
    await page.getByLabel('Location').fill('x'.repeat(201));
    await page.getByText('Location cannot exceed 200 characters').waitFor();
    await page.getByText('201 / 200').waitFor();
    await page.getByLabel('Location').fill('Home');
    await page.getByLabel('Notes').fill('y'.repeat(501));
    await page.getByText('Notes cannot exceed 500 characters').waitFor();
    await page.getByText('501 / 500').waitFor();
    await expect.poll(() => submit.isDisabled()).toBe(true);
  });

  it('keeps what was typed after a failure, and plans once', { tags: ['dates.plan.7', 'dates.plan.10'] }, async () => {
    const newCouple = await registerCouple(us.app);
    const idea = await addIdea(newCouple.ada);
    const page = await us.openAs(newCouple.ada, PHONE);
    await page.goto(`/date-ideas/${idea.id}/plan`);
    await page.getByLabel('Notes').fill('Bring the blue scarf');
    const failure = page.getByRole('alert').filter({ hasText: 'Failed to plan date. Please try again.' });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await answerOnce(page, 'POST /api/PlannedDates', async (route) => {
      await route.fetch();
      await held;
      await route.abort();
    });
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await page.getByRole('button', { name: 'Planning...' }).waitFor();
    release();
    await failure.waitFor();
    expect(await page.getByLabel('Notes').inputValue()).toBe('Bring the blue scarf');
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await page.waitForURL(/\/planned-dates\/[0-9a-f-]{36}$/);
    expect((await newCouple.ada.call('GET /api/PlannedDates')).body).toHaveLength(1);
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

  it('says why an idea cannot be planned', { tags: ['dates.plan.9'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Resting', isActive: false });
    const page = await us.open(DESKTOP);
    await page.goto('/date-ideas/unknown/plan');
    await page.getByRole('alert').getByText('Date idea not found.').waitFor();
    await page.goto('/date-ideas/%20/plan');
    await page.getByText('No date idea specified.').waitFor();
    await answerOnce(page, `GET /api/DateIdeas/${idea.id}`, { status: 500 });
    await page.goto(`/date-ideas/${idea.id}/plan`);
    await page.getByText('Failed to load date idea. Please try again.').waitFor();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByText('This idea is inactive. Make it active again to plan a date from it.').waitFor();
  });

  it('reactivates an inactive idea unchanged', { tags: ['home.dashboard.17'] }, async () => {
    const idea = await addIdea(us.ada, { title: 'Resting', description: 'At the weir', isActive: false });
    const page = await us.open(PHONE);
    await page.goto(`/date-ideas/${idea.id}/plan`);
    const bringBack = page.getByRole('button', { name: 'Make it active again' });
    await bringBack.waitFor();
    await answerOnce(page, `PUT /api/DateIdeas/${idea.id}`, 'cut');
    await bringBack.click();
    await page.getByRole('alert').getByText('Failed to update date idea. Please try again.').waitFor();
    await bringBack.click();
    await expect.poll(() => page.getByLabel('Location').inputValue()).toBe('the weir');
    await page.getByRole('button', { name: 'Plan This Date' }).click();
    await page.waitForURL(/\/planned-dates\/[0-9a-f-]{36}$/);
    const { body } = await us.ada.call('GET /api/DateIdeas/{id}', { params: { id: idea.id } });
    expect(body).toMatchObject({ title: 'Resting', description: 'At the weir', isActive: true });
  });

  it('reactivates an inactive idea, although the answer to the first press was lost', {
    tags: ['ideas.form.15'],
  }, async () => {
    const idea = await addIdea(us.ada, { title: 'Resting', description: 'At the weir', isActive: false });
    const page = await us.open(DESKTOP);
    await page.goto(`/date-ideas/${idea.id}/plan`);
    const bringBack = page.getByRole('button', { name: 'Make it active again' });
    await bringBack.waitFor();
    await answerOnce(page, `PUT /api/DateIdeas/${idea.id}`, 'lost');
    await bringBack.click();
    await page.getByRole('alert').getByText('Failed to update date idea. Please try again.').waitFor();
    await bringBack.click();
    await expect.poll(() => page.getByLabel('Location').inputValue()).toBe('the weir');
  });

  it('reactivates an inactive idea as the partner has changed it since', { tags: ['ideas.form.15'] }, async () => {
    const { id } = await addIdea(us.ada, { title: 'Resting', isActive: false });
    const page = await us.open(DESKTOP);
    await page.goto(`/date-ideas/${id}/plan`);
    const bringBack = page.getByRole('button', { name: 'Make it active again' });
    await bringBack.waitFor();
    const body = { title: 'Resting by the river', category: 'Outdoor', isActive: false } as const;
    await us.ben.call('PUT /api/DateIdeas/{id}', { params: { id }, body });
    await bringBack.click();
    await page.getByRole('heading', { name: 'Plan a Date' }).waitFor();
    await page.getByRole('article').first().getByText('Resting by the river').waitFor();
    const saved = (await us.ada.call('GET /api/DateIdeas/{id}', { params: { id } })).body;
    expect(saved).toMatchObject({ ...body, isActive: true });
  });

  it('adds a deleted idea again, once, if a date still has its fields', { tags: ['home.dashboard.17'] }, async () => {
    const newCouple = await registerCouple(us.app);
    const idea = await addIdea(newCouple.ada, {
      title: 'The slow lunch',
      description: 'At the pier',
      category: 'Food',
    });
    await planDate(newCouple.ada, { idea: idea.id });
    await newCouple.ada.call('DELETE /api/DateIdeas/{id}', { params: { id: idea.id } });
    const page = await us.openAs(newCouple.ada, DESKTOP);
    await gotoLive(page, `/date-ideas/${idea.id}/plan`);
    await page.getByRole('heading', { level: 1, name: 'The slow lunch' }).waitFor();
    await page.getByText('This idea was deleted. Add it again to plan a date from it.').waitFor();
    // The reply is lost: the second click doesn't add another idea.
    await answerOnce(page, 'POST /api/DateIdeas', 'lost');
    // When it learns of the new idea, the page fetches the old one again. Until it has, the button is missing.
    const lookedAgain = page.waitForResponse(`**/api/DateIdeas/${idea.id}`);
    await page.getByRole('button', { name: 'Add it again' }).click();
    await page.getByRole('alert').getByText('Failed to create date idea. Please try again.').waitFor();
    await lookedAgain;
    await page.getByRole('button', { name: 'Add it again' }).click();
    await page.getByLabel('Date and time').waitFor();
    const { body } = await newCouple.ada.call('GET /api/DateIdeas');
    expect(body).toMatchObject([
      { title: 'The slow lunch', description: 'At the pier', category: 'Food', isActive: true, plannedDatesCount: 0 },
    ]);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/date-ideas/${body[0]?.id}/plan`);
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
