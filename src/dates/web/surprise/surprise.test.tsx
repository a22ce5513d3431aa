import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { addIdea, planDate } from '../../../../tests/support/factories.ts';
import { refuseCalls, setServerTime } from '../../../../tests/support/handle-calls.ts';
import { registerAda } from '../../../../tests/support/register-couple.ts';
import { findIssues, findIssuesAtEverySize, setReducedMotion } from '../../../../tests/support/screen-issues.ts';
import { type Couple, registerUs, show } from '../../../../tests/support/screens.tsx';
import { DAY, HOUR, MINUTE } from '../../../base/durations.ts';

const HIDDEN = {
  idea: { title: 'Zeppelin over Friedrichshafen', description: 'Quixotic altitude', category: 'Adventure' as const },
  location: 'Hangar Umbra',
  notes: 'Bring the vermilion scarf',
};

/** Surprises. Ben plans them, and Ada is surprised. */
describe('a surprise', () => {
  let us: Couple;
  beforeEach(async () => {
    await page.viewport(360, 780);
    us = await registerUs();
  });
  afterEach(async () => {
    setServerTime(null);
    vi.useRealTimers();
    await setReducedMotion(true);
  });

  const parcel = page.getByText('A surprise from Ben.');
  const ticket = page.getByRole('heading', { name: HIDDEN.idea.title });
  const unwrapping = page.getByTestId('unwrapping');
  const announced = page.getByRole('status').getByText(`The surprise from Ben is open: ${HIDDEN.idea.title}.`);
  const plan = (at: number) => planDate(us.ben, { ...HIDDEN, at, surprise: true });
  const start = (id: string) => us.ben.call('POST /api/PlannedDates/{id}/start', { params: { id } });
  /** Saves the form, and waits for the list: both have headings with the date's title. */
  const save = async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect.element(page.getByRole('heading', { name: 'Our Dates', level: 1 })).toBeVisible();
  };

  it('can be changed and revealed by its planner only', { tags: ['dates.surprises.6'] }, async () => {
    const { id } = await plan(Date.now() + DAY);
    await show(`/planned-dates/${id}/edit`, us.ben);
    const box = page.getByRole('checkbox', { name: 'Keep it a surprise' });
    await expect.element(box).toBeChecked();
    await page.getByLabelText('Location').fill('Somewhere else');
    await save();
    await expect.element(page.getByText('Somewhere else')).toBeVisible();

    await show(`/planned-dates/${id}/edit`, us.ben);
    await expect.element(box).toBeChecked();
    await box.click();
    await expect.element(page.getByText('Saving this tells Ada what it is. It can’t be hidden again.')).toBeVisible();
    expect(await findIssues('the form')).toEqual([]);
    await save();
    await expect.element(ticket).toBeVisible();
    await show(`/planned-dates/${id}/edit`, us.ben);
    await expect.element(page.getByLabelText('Location')).toBeVisible();
    expect(box.elements()).toEqual([]);
  });

  it('stays a parcel for the partner while its planner changes it, and is unwrapped when it is revealed', {
    tags: ['dates.surprises.6'],
  }, async () => {
    const { id, plannedDateTime } = await plan(Date.now() + DAY);
    const body = { plannedDateTime, location: 'Somewhere else' };
    await show('/planned-dates', us.ada);
    await expect.element(parcel).toBeVisible();
    await us.ben.call('PUT /api/PlannedDates/{id}', { params: { id }, body: { ...body, surprise: true } });
    await addIdea(us.ben, { title: 'Announced after it' });
    await expect.element(parcel).toBeVisible();
    expect(page.getByText('Somewhere else').elements()).toEqual([]);
    await us.ben.call('PUT /api/PlannedDates/{id}', { params: { id }, body: { ...body, surprise: false } });
    await expect.element(ticket).toBeVisible();
    await expect.element(unwrapping).toBeInTheDocument();
  });

  it('shows what the server says to a partner whose page is older', { tags: ['dates.surprises.8'] }, async () => {
    await planDate(us.ben, { ...HIDDEN, at: Date.now() + DAY });
    await show('/planned-dates', us.ada);
    await expect.element(ticket).toBeVisible();
    const message = 'This date is a surprise. Only Ben can change it.';
    refuseCalls('POST /api/PlannedDates/*/start', 409, message);
    await page.getByRole('button', { name: 'Start Date' }).click();
    await expect.element(page.getByRole('alert').getByText(message)).toBeVisible();
  });

  it('is unwrapped on the next visit if it was revealed while the app was closed', {
    tags: ['dates.surprises.9'],
  }, async () => {
    const { id } = await plan(Date.now() + DAY);
    await show('/dashboard', us.ada);
    await expect.element(parcel).toBeVisible();
    await show('/dashboard', (await registerUs()).ada);
    await start(id);
    await show(`/planned-dates/${id}`, us.ada);
    await expect.element(unwrapping).toBeInTheDocument();
    await expect.element(announced).toBeInTheDocument();
    await expect.poll(() => localStorage.getItem('wrapped') ?? '').not.toContain(id);
    await show('/planned-dates', us.ada);
    await expect.element(ticket).toBeVisible();
    expect(unwrapping.elements()).toEqual([]);
  });

  it('is not unwrapped on a device that never showed the parcel', { tags: ['dates.surprises.9'] }, async () => {
    const { id } = await plan(Date.now() + DAY);
    await start(id);
    await show(`/planned-dates/${id}`, us.ada);
    await expect.element(ticket.first()).toBeVisible();
    expect(unwrapping.elements()).toEqual([]);
  });

  it.each(['/dashboard', '/planned-dates'])(
    'opens by itself at its time (%s)',
    { tags: ['dates.surprises.10'] },
    async (path) => {
      const now = Date.now();
      await plan(now + 2 * MINUTE);
      vi.useFakeTimers({ now, shouldAdvanceTime: true, toFake: ['Date', 'setInterval', 'clearInterval'] });
      await show(path, us.ada);
      await expect.element(parcel).toBeVisible();
      setServerTime(now + 3 * MINUTE);
      await vi.advanceTimersByTimeAsync(3 * MINUTE);
      await expect.element(ticket).toBeVisible();
      await expect.element(unwrapping).toBeInTheDocument();
    },
  );

  it('can be planned before a partner has joined', { tags: ['dates.surprises.5'] }, async () => {
    const eve = await registerAda({ url: location.origin }, `eve-${crypto.randomUUID()}@example.org`);
    const idea = await addIdea(eve, HIDDEN.idea);
    await show(`/date-ideas/${idea.id}/plan`, eve);
    const text = 'Your partner, once here, sees only the day and the time, until it begins or you tell.';
    await expect.element(page.getByText(text)).toBeVisible();
  });

  it('is the same parcel whatever is in it', { tags: ['secrets.surprises.11'] }, async () => {
    const at = Date.now() + DAY;
    await planDate(us.ben, { at, surprise: true });
    await planDate(us.ben, { ...HIDDEN, notes: 'Long. '.repeat(80), at, end: at + HOUR, surprise: true });
    await show('/planned-dates', us.ada);
    await expect.element(parcel.nth(1)).toBeVisible();
    const articles = page.getByRole('article').elements();
    const parcels = articles.map((one) => [one.outerHTML.replace(/[0-9a-f-]{36}/g, ''), one.clientHeight]);
    expect(parcels).toHaveLength(2);
    expect(parcels[0]).toEqual(parcels[1]);
  });

  it.each([{ isReduced: true }, { isReduced: false }])(
    'plays how it is unwrapped, and with reduced motion shows only the last picture (reduced: $isReduced)',
    { tags: ['dates.surprises.9'] },
    async ({ isReduced }) => {
      await setReducedMotion(isReduced);
      const { id } = await plan(Date.now() + DAY);
      await show('/planned-dates', us.ada);
      await expect.element(parcel).toBeVisible();
      const played = vi.fn<(name: string) => void>();
      const listening = new AbortController();
      addEventListener('animationstart', ({ animationName }) => played(animationName), { signal: listening.signal });
      await start(id);
      await expect.element(unwrapping).toBeInTheDocument();
      if (isReduced) {
        expect(getComputedStyle(unwrapping.element()).visibility).toBe('hidden');
        expect(played).not.toHaveBeenCalledWith(expect.stringContaining('fold'));
      } else await expect.poll(() => played).toHaveBeenCalledWith(expect.stringContaining('fold'));
      listening.abort();
    },
  );

  it('is accessible in all states, with long names', { tags: ['dates.surprises.11'] }, async () => {
    const displayName = 'Maximiliane-Konstanze Freifrau von Donaudampfschifffahrt'.slice(0, 50);
    for (const who of [us.ada, us.ben]) await who.call('PUT /api/auth/profile', { body: { displayName } });
    const { id } = await plan(Date.now() + DAY);
    const found: string[] = [];
    for (const path of ['/planned-dates', `/planned-dates/${id}`, `/planned-dates/${id}/edit`]) {
      for (const who of [us.ada, us.ben]) {
        await show(path, who);
        await expect.element(page.getByRole('article').first()).toBeVisible();
        found.push(...(await findIssuesAtEverySize(path)));
      }
    }
    await show('/dashboard', us.ada);
    await expect.element(page.getByText(/^A surprise from/).first()).toBeVisible();
    found.push(...(await findIssuesAtEverySize('dashboard')));
    await start(id);
    await show('/planned-dates', us.ada);
    await expect.element(unwrapping).toBeInTheDocument();
    found.push(...(await findIssuesAtEverySize('unwrapped')));
    expect(found).toEqual([]);
  });
});
