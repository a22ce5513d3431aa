import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cdp, page } from 'vitest/browser';
import { completeDate, planDate } from '../../../../tests/support/factories.ts';
import { handleCalls, setOffline } from '../../../../tests/support/handle-calls.ts';
import { findIssuesAtEverySize } from '../../../../tests/support/screen-issues.ts';
import { type Couple, registerUs, show, textsOf, uploadPhoto } from '../../../../tests/support/screens.tsx';

const button = page.getByRole('button', { name: 'Print or Save as PDF' });
const titles = () => textsOf(page.getByRole('article').getByRole('heading'));

/** Holds the response to an image until it is released. */
async function holdImage(path: string) {
  const asked = Promise.withResolvers<string>();
  cdp().on('Fetch.requestPaused', ({ requestId }) => asked.resolve(requestId));
  await cdp().send('Fetch.enable', { patterns: [{ urlPattern: `*${path}` }] });
  return {
    asked: asked.promise,
    release: async () => {
      await cdp().send('Fetch.continueRequest', { requestId: await asked.promise });
      await cdp().send('Fetch.disable');
    },
  };
}

beforeEach(() => page.viewport(1280, 900));
afterEach(() => vi.restoreAllMocks());

describe('the album on paper', () => {
  let us: Couple;
  let long: string;
  let planned: string;
  let dates: readonly string[];
  beforeAll(async () => {
    us = await registerUs('Europe/Rome');
    const idea = { title: 'The long walk', category: 'Outdoor' as const };
    const location = 'By the weir, https://weir.example.org/way';
    ({ id: long } = await completeDate(us.ada, {
      idea,
      at: '2025-05-20T14:00:00Z',
      minutes: 90,
      notes: 'Muddy.',
      location,
    }));
    for (let n = 1; n < 5; n += 1) await uploadPhoto(us.ada, long, n, `Step ${n}`);
    const shortIdea = { title: 'The short walk' };
    const { id: short } = await completeDate(us.ada, { idea: shortIdea, at: '2024-12-31T23:30:00Z', minutes: 30 });
    dates = [long, short];
    const notes = { params: { id: short } };
    await us.ada.call('PUT /api/PlannedDates/{id}/notes/mine', { ...notes, body: { text: 'The fog.', hearts: 3 } });
    await us.ben.call('PUT /api/PlannedDates/{id}/notes/mine', {
      ...notes,
      body: { text: 'Your scarf.', hearts: null },
    });
    ({ id: planned } = await planDate(us.ada, { idea: { title: 'Not yet' } }));
  });

  it('has a cover, and each completed date with its ticket, notes, captions and both notes once opened', {
    tags: ['keeping.print.1'],
  }, async () => {
    const sealed = { params: { id: long } };
    await us.ben.call('PUT /api/PlannedDates/{id}/notes/mine', { ...sealed, body: { text: 'Sealed.', hearts: null } });
    await show('/print', us.ada);
    await expect.element(button).toBeVisible();
    expect(titles()).toEqual(['The short walk', 'The long walk']);
    const cover = page.getByRole('region', { name: 'Cover' });
    await expect.element(cover.getByRole('heading', { name: 'Our Love Story' })).toBeVisible();
    // In Rome the short walk is of the next year.
    await expect.element(cover.getByText('2025', { exact: true })).toBeVisible();
    const ticket = page.getByRole('article').filter({ hasText: 'The long walk' });
    for (const text of ['Outdoor', 'Tuesday, May 20, 2025', '4:00 PM · 1 hour 30 minutes', 'By the weir']) {
      await expect.element(ticket.getByText(text)).toBeVisible();
    }
    await expect.element(ticket.getByRole('link')).toHaveAttribute('href', 'https://weir.example.org/way');
    for (const text of ['Muddy.', 'Step 4', 'The fog.', 'Ada ♥♥♥', 'Your scarf.']) {
      await expect.element(page.getByText(text)).toBeVisible();
    }
    expect(textsOf(page.getByRole('figure'))).toEqual(['Step 1', 'Step 2', 'Step 3', 'Step 4']);
    expect(page.getByText('Sealed.').elements()).toEqual([]);
    await us.ben.call('DELETE /api/PlannedDates/{id}/notes/mine', sealed);
  });

  it('has one date or one year', { tags: ['keeping.print.1'] }, async () => {
    await show(`/print?dateId=${long}`, us.ada);
    await expect.poll(titles).toEqual(['The long walk']);
    await show('/print?year=2025', us.ada);
    await expect.poll(titles).toEqual(['The short walk', 'The long walk']);
  });

  it('says why there is nothing to print', { tags: ['keeping.print.2'] }, async () => {
    await show('/print?year=2024', us.ada);
    await expect.element(page.getByText('There is no completed date to print yet.')).toBeVisible();
    await show('/print?dateId=unknown', us.ada);
    await expect.element(page.getByText('Date not found.')).toBeVisible();
    await show(`/print?dateId=${planned}`, us.ada);
    await expect.element(page.getByText('Only a completed date can be printed.')).toBeVisible();
  });

  it("opens the browser's dialog once its photographs are loaded", { tags: ['keeping.print.1'] }, async () => {
    const { id, previewUrl } = await uploadPhoto(us.ada, long, 20, 'The last step');
    const dialog = vi.spyOn(globalThis, 'print').mockReturnValue();
    const { asked, release } = await holdImage(previewUrl);
    await show(`/print?dateId=${long}`, us.ada);
    await asked;
    await expect.element(page.getByText('Loading our photographs: 4 of 5')).toBeVisible();
    await button.click();
    await expect.element(button).toHaveAttribute('aria-busy', 'true');
    expect(dialog).not.toHaveBeenCalled();
    await release();
    await expect.poll(() => dialog.mock.calls).toHaveLength(1);
    await us.ada.call('DELETE /api/Memories/{id}', { params: { id } });
  });

  it('waits for the photograph of the cover too', { tags: ['keeping.print.1'] }, async () => {
    const { id } = await completeDate(us.ada, {
      idea: { title: 'The only one' },
      at: '2023-05-20T14:00:00Z',
      minutes: 9,
    });
    const memory = await uploadPhoto(us.ada, id, 30);
    const dialog = vi.spyOn(globalThis, 'print').mockReturnValue();
    const { asked, release } = await holdImage(memory.previewUrl);
    await show(`/print?dateId=${id}`, us.ada);
    await asked;
    // As if the one on the page were loaded: both have the same address.
    await expect.poll(() => document.querySelectorAll('figure img')).toHaveLength(1);
    document.querySelector('figure img')?.dispatchEvent(new Event('load'));
    await expect.element(page.getByText('Loading our photographs: 1 of 1')).toBeVisible();
    await button.click();
    await expect.element(button).toHaveAttribute('aria-busy', 'true');
    expect(dialog).not.toHaveBeenCalled();
    await release();
    await expect.poll(() => dialog.mock.calls).toHaveLength(1);
    await us.ada.call('DELETE /api/PlannedDates/{id}', { params: { id } });
  });

  it('compresses each photograph for its size in print', { tags: ['keeping.print.5'] }, async () => {
    const { ada } = await registerUs();
    const { id } = await completeDate(ada, { idea: { title: 'A gallery' }, at: '2024-06-01T14:00:00Z', minutes: 30 });
    for (let n = 61; n < 64; n += 1) await uploadPhoto(ada, id, n, undefined, { width: 1600, height: 1200 });
    await show(`/print?dateId=${id}`, ada);
    const photographs = () => [...document.querySelectorAll<HTMLImageElement>('figure img')];
    const typeOf = async ({ src }: HTMLImageElement) => (await (await fetch(src)).blob()).type;
    await expect
      .poll(() => Promise.all(photographs().map(typeOf)))
      .toEqual(Array.from({ length: 3 }, () => 'image/jpeg'));
    await expect.poll(() => page.getByText('Loading our photographs').query()).toBeNull();
    for (const photograph of photographs()) {
      const inches = Number.parseFloat(photograph.closest('figure')?.style.getPropertyValue('--w') ?? '') / 25.4;
      expect(photograph.naturalWidth).toBeLessThan(1600);
      expect(photograph.naturalWidth / inches).toBeCloseTo(300, -1);
    }
  });

  it('measures tickets as it prints them', { tags: ['keeping.print.3'] }, async () => {
    const measured: number[] = [];
    const own = Element.prototype.getBoundingClientRect;
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function measure(this: Element) {
      const area = own.call(this);
      if (this.matches('[inert] > article')) measured.push(area.height);
      return area;
    });
    await show('/print', us.ada);
    await expect.element(button).toBeVisible();
    const printed = page
      .getByRole('article')
      .elements()
      .map((ticket) => own.call(ticket).height);
    expect(printed.length).toBeGreaterThan(1);
    printed.forEach((height, n) => expect(measured[n]).toBeCloseTo(height, 1));
  });

  it('follows the formats of dates and times', { tags: ['screens.words.5'] }, async () => {
    await us.ben.call('PUT /api/auth/profile', { body: { formats: 'international' } });
    await show(`/print?dateId=${long}`, { token: us.ben.token, user: { ...us.ben.user, formats: 'international' } });
    await expect.element(page.getByRole('article').getByText('Tuesday, 20 May 2025')).toBeVisible();
    await expect.element(page.getByText('16:00 · 1 hour 30 minutes')).toBeVisible();
  });

  it('follows a change by the partner', { tags: ['keeping.print.4'] }, async () => {
    await show(`/print?dateId=${long}`, us.ben);
    await expect.element(button).toBeVisible();
    const { id } = await uploadPhoto(us.ada, long, 9, 'One more step');
    await expect.element(page.getByText('One more step')).toBeVisible();
    await us.ada.call('DELETE /api/Memories/{id}', { params: { id } });
  });

  it('fetches no notes again after a photograph, and no opened ones after a note', {
    tags: ['keeping.print.4'],
  }, async () => {
    const asked: string[] = [];
    await show('/print', us.ada);
    await expect.element(button).toBeVisible();
    const photographs = [await uploadPhoto(us.ben, long, 51, 'A first one')];
    await expect.element(page.getByText('A first one')).toBeVisible();
    // Each is noted before it is sent, which it is together with what shows the photograph.
    for (const id of dates) {
      handleCalls(`GET /api/PlannedDates/${id}/notes`, (ask) => {
        asked.push(id);
        return ask();
      });
    }
    photographs.push(await uploadPhoto(us.ben, long, 52, 'A second one'));
    await expect.element(page.getByText('A second one')).toBeVisible();
    expect(asked).toEqual([]);
    const notes = { params: { id: long } };
    await us.ada.call('PUT /api/PlannedDates/{id}/notes/mine', { ...notes, body: { text: 'Mud.', hearts: null } });
    await expect.poll(() => asked).toEqual([long]);
    await us.ada.call('DELETE /api/PlannedDates/{id}/notes/mine', notes);
    for (const { id } of photographs) await us.ada.call('DELETE /api/Memories/{id}', { params: { id } });
  });

  it('shows on its cover no photograph of a date that the viewer left out of looking back', {
    tags: ['dates.lookback.2'],
  }, async () => {
    const cover = page.getByRole('region', { name: 'Cover' });
    await show('/print', us.ada);
    await expect.element(button).toBeVisible();
    expect(cover.element().querySelector('img')).not.toBeNull();
    const look = (shown: boolean) =>
      us.ada.call('PUT /api/PlannedDates/{id}/look-back', { params: { id: long }, body: { shown } });
    await look(false);
    await show('/print', us.ada);
    await expect.element(button).toBeVisible();
    expect(cover.element().querySelector('img')).toBeNull();
    await expect.element(page.getByText('Step 4')).toBeVisible();
    await look(true);
  });

  it('without a connection is what this device has seen, and says so', { tags: ['keeping.print.4'] }, async () => {
    await show(`/planned-dates/${long}`, us.ada);
    await expect.element(page.getByText('Step 4')).toBeVisible();
    setOffline(true);
    await show(`/print?dateId=${long}`, us.ada);
    await expect.element(page.getByText('We are offline. This is what this device has seen.')).toBeVisible();
    await expect.element(page.getByText('Step 4')).toBeVisible();
    await expect.element(page.getByText('Muddy.')).toBeVisible();
  });

  it('without a connection leaves out what a later list no longer has', { tags: ['keeping.print.4'] }, async () => {
    const { ada, ben } = await registerUs();
    const [kept, deleted] = [
      await completeDate(ada, { idea: { title: 'The kept day' }, at: '2024-06-01T14:00:00Z', minutes: 30 }),
      await completeDate(ada, { idea: { title: 'The deleted day' }, at: '2024-06-02T14:00:00Z', minutes: 30 }),
    ];
    const first = await uploadPhoto(ada, kept.id, 41, 'The first view');
    for (const { id } of [kept, deleted]) {
      await show(`/planned-dates/${id}`, ada);
      await expect.element(page.getByText('Memories', { exact: true })).toBeVisible();
      if (id === kept.id) await expect.element(page.getByText('The first view')).toBeVisible();
    }
    await ben.call('DELETE /api/PlannedDates/{id}', { params: { id: deleted.id } });
    await ben.call('DELETE /api/Memories/{id}', { params: { id: first.id } });
    for (let n = 0; n < 2; n += 1) await uploadPhoto(ada, kept.id, 42 + n, `Another view ${n}`);
    await show(`/planned-dates/${kept.id}`, ada);
    await expect.element(page.getByText('Another view 1')).toBeVisible();
    await show('/planned-dates', ada);
    await expect.element(page.getByText('The kept day')).toBeVisible();
    setOffline(true);
    await show('/print', ada);
    await expect.element(page.getByText('We are offline.')).toBeVisible();
    await expect.poll(() => textsOf(page.getByRole('figure'))).toEqual(['Another view 0', 'Another view 1']);
    expect(titles()).toEqual(['The kept day']);
    await expect.element(page.getByText('Some photographs may be missing.')).not.toBeInTheDocument();
  });

  it('without a connection says if photographs may be missing', { tags: ['keeping.print.4'] }, async () => {
    const { ada } = await registerUs();
    const { id } = await completeDate(ada, { idea: { title: 'A day' }, at: '2024-06-01T14:00:00Z', minutes: 30 });
    await uploadPhoto(ada, id, 41, 'A view');
    await show(`/planned-dates/${id}`, ada);
    await expect.element(page.getByText('A view')).toBeVisible();
    // A photograph that only the list of dates counts.
    await uploadPhoto(ada, id, 42);
    await show('/planned-dates', ada);
    await expect.element(page.getByText('2 memories')).toBeVisible();
    setOffline(true);
    await show('/print', ada);
    await expect.element(page.getByText('Some photographs may be missing.')).toBeVisible();
  });

  it('is accessible on a phone, a tablet and a desktop', { tags: ['keeping.print.1'] }, async () => {
    await show('/print', us.ada);
    await expect.element(button).toBeVisible();
    expect(await findIssuesAtEverySize('print')).toEqual([]);
  });
});
