import { beforeAll, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { addIdea, completeDate, planDate } from '../../../tests/support/factories.ts';
import { holdCalls, setOffline, UNTIL_RECONNECTED } from '../../../tests/support/handle-calls.ts';
import { joinAsBen } from '../../../tests/support/register-couple.ts';
import { findIssuesAtEverySize } from '../../../tests/support/screen-issues.ts';
import { address, type Couple, registerUs, show, uploadPhoto } from '../../../tests/support/screens.tsx';
import { DAY } from '../../base/durations.ts';
import { allLastSeen } from '../../base/web/storage/last-seen.ts';

const field = page.getByRole('searchbox', { name: 'Search our story' });
const dates = page.getByRole('region', { name: 'Dates' });
const marks = () => dates.element().querySelectorAll('mark');

describe('the search page', () => {
  let us: Couple;
  let id: string;
  beforeAll(async () => {
    us = await registerUs('UTC');
    ({ id } = await completeDate(us.ada, { idea: { title: 'The fair' }, at: '2026-10-17T14:00:00Z', minutes: 60 }));
    const write = (who: Couple['ada'], text: string) =>
      who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id }, body: { text } });
    await write(
      us.ada,
      `${'We walked and walked. '.repeat(9)}Then you won the Ferris wheel. ${'And more. '.repeat(30)}`,
    );
    await write(us.ben, 'The big wheel, and you.');
  });

  it('shows what the two notes say where they have the words, and not what the ticket shows already', {
    tags: ['search.12'],
  }, async () => {
    await show('/search?q=wheel', us.ada);
    await expect.element(dates.getByText(/^Ada wrote: … .*Then you won the Ferris wheel\..* …$/)).toBeVisible();
    await expect.element(dates.getByText('Ben wrote: The big wheel, and you.')).toBeVisible();
    await expect.poll(() => [...marks()].map(({ innerText }) => innerText)).toEqual(['wheel', 'wheel']);
    expect(await findIssuesAtEverySize('notes that were found')).toEqual([]);
    await field.fill('fair');
    await expect.poll(() => [...marks()].map(({ innerText }) => innerText)).toEqual(['fair']);
    await expect.element(dates.getByText(/wrote:/)).not.toBeInTheDocument();
  });

  it('keeps no notes on the device, and shows those that it has kept of a date without a connection', {
    tags: ['search.10', 'search.12'],
  }, async () => {
    const { ben } = await registerUs('UTC');
    const date = await completeDate(ben, { idea: { title: 'The quay' }, at: '2026-10-17T14:00:00Z', minutes: 60 });
    const text = 'A seal looked at us.';
    await ben.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: date.id }, body: { text } });
    const isKept = () => allLastSeen(ben.user.id).some(({ key }) => key.includes('notes'));
    const excerpt = dates.getByText(`Ben wrote: ${text}`);
    await show('/search?q=seal', ben);
    await expect.element(excerpt).toBeVisible();
    expect(isKept()).toBe(false);
    await show(`/planned-dates/${date.id}`, ben);
    await expect.poll(isKept).toBe(true);
    setOffline(true);
    await show('/search?q=seal', ben);
    await expect.element(excerpt).toBeVisible();
  });

  it('says of a note of a partner who left that it is not of the present one', { tags: ['search.12'] }, async () => {
    const { ada, ben } = await registerUs('UTC');
    const date = await completeDate(ada, { idea: { title: 'The pier' }, at: '2026-10-17T14:00:00Z', minutes: 60 });
    for (const who of [ada, ben]) {
      const body = { text: `${who.user.displayName} saw a whale.` };
      await who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: date.id }, body });
    }
    await ben.call('POST /api/auth/leave', { body: { currentPassword: ben.password } });
    const { user: partner } = await joinAsBen(ben, ada, `another-${crypto.randomUUID()}@example.org`);
    await show('/search?q=whale', Object.assign(ada, { user: { ...ada.user, partner } }));
    await expect.element(dates.getByText('Ada wrote: Ada saw a whale.')).toBeVisible();
    await expect.element(dates.getByText('A partner who left wrote: Ben saw a whale.')).toBeVisible();
  });

  it('takes two hundred characters, and says that more are too many', { tags: ['search.4'] }, async () => {
    await show('/search', us.ada);
    await field.fill('x'.repeat(200));
    await expect.element(page.getByText(/^No matches for/)).toBeVisible();
    await field.fill('x'.repeat(201));
    await expect.element(page.getByText('Please use at most 200 characters.')).toBeVisible();
    await expect.element(page.getByText(/^No matches for/)).not.toBeInTheDocument();
  });

  it('opens by Ctrl or Command with K and by a slash, which is typed in fields', { tags: ['search.6'] }, async () => {
    for (const keys of ['{Control>}k{/Control}', '{Meta>}k{/Meta}', '/']) {
      await show('/date-ideas', us.ada);
      const other = page.getByRole('searchbox', { name: 'Search', exact: true });
      await other.click();
      await userEvent.keyboard('/');
      await expect.element(other).toHaveValue('/');
      if (keys === '/') (other.element() as HTMLElement).blur();
      // The keys work once the page is idle.
      await expect
        .poll(async () => {
          await userEvent.keyboard(keys);
          return address();
        })
        .toBe('/search');
      await expect.element(field).toHaveFocus();
    }
  });
});

describe('what the search finds', () => {
  let us: Couple;
  const section = (name: string) => page.getByRole('region', { name });
  const marksIn = (name: string) =>
    [...section(name).element().querySelectorAll('mark')].map(({ innerText }) => innerText);
  const soup = page.getByRole('link', { name: 'View memory: The thai soup' });
  beforeAll(async () => {
    us = await registerUs('UTC');
    const idea = { title: 'That Thai place', description: 'By the canal', category: 'Food' as const };
    const parts = { at: Date.now() - 30 * DAY, minutes: 90, location: 'Café Ångström' };
    const date = await completeDate(us.ada, { idea, ...parts });
    await uploadPhoto(us.ada, date.id, 1, 'The thai soup');
    await planDate(us.ada, { idea: { title: 'A secret' }, location: 'Thai spa', at: Date.now() + DAY, surprise: true });
    for (let n = 0; n < 52; n += 1) await addIdea(us.ada, { title: `Yodel ${String(n).padStart(2, '0')}` });
  }, 60_000);

  it('is shown as one types, with the words marked', {
    tags: ['search.5', 'search.6', 'search.8', 'search.9'],
  }, async () => {
    await page.viewport(1280, 800);
    await show('/dashboard', us.ada);
    await page.getByRole('navigation').getByRole('link', { name: 'Search our story' }).click();
    await expect.poll(address).toBe('/search');
    await expect.element(page.getByRole('heading', { name: 'Search', level: 1, exact: true })).toBeVisible();
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('t');
    expect(page.getByRole('article').elements()).toEqual([]);
    await userEvent.keyboard('hai');
    await expect.element(page.getByRole('status').getByText('1 idea, 2 dates, 1 memory found')).toBeVisible();
    const found = section('Ideas').getByRole('article').getByRole('link', { name: 'Plan This Date' });
    await expect.element(found).toBeVisible();
    await expect.element(section('Dates').getByRole('link', { name: 'Add Memories' })).toBeVisible();
    await expect.element(section('Memories').getByRole('link', { name: 'View memory: The thai soup' })).toBeVisible();
    await expect.poll(address).toBe('/search?q=thai');
    // The first letters may have found the same.
    await expect.poll(() => marksIn('Ideas')).toEqual(['Thai']);
    await expect.poll(() => marksIn('Memories')).toEqual(['thai']);
    await field.fill('CAFE angstrom thai');
    await expect.element(page.getByRole('status').getByText('0 ideas, 1 date, 0 memories found')).toBeVisible();
    await expect.poll(() => marksIn('Dates')).toEqual(['Thai', 'Café', 'Ångström']);
    await field.fill('nowhere at all');
    await expect.element(page.getByText('No matches for "nowhere at all".')).toBeVisible();
  });

  it('hides from the partner what a surprise hides, and shows it live once it is revealed', {
    tags: ['search.3', 'search.5'],
  }, async () => {
    const { ada, ben } = await registerUs('UTC');
    const at = Date.now() + DAY;
    const { id } = await planDate(ada, { idea: { title: 'A secret' }, location: 'Thai spa', at, surprise: true });
    await show('/search?q=spa', ben);
    await expect.element(page.getByText('No matches for "spa".')).toBeVisible();
    await ada.call('POST /api/PlannedDates/{id}/cancel', { params: { id } });
    await expect.element(section('Dates').getByRole('heading', { name: 'A secret' })).toBeVisible();
  });

  it('is shown up to 50, and then asks for another word', { tags: ['search.7'] }, async () => {
    await page.viewport(360, 780);
    await show('/search?q=yodel', us.ada);
    const cards = section('Ideas').getByRole('article');
    await expect.poll(() => cards.elements()).toHaveLength(20);
    await expect.element(section('Ideas').getByText('52', { exact: true })).toBeVisible();
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    await expect.poll(() => cards.elements()).toHaveLength(50);
    await expect.element(page.getByText('Add a word to narrow it down')).toBeVisible();
    expect(more.elements()).toEqual([]);
  });

  it('belongs to the last words, whichever answer comes last', { tags: ['search.5'] }, async () => {
    await show('/search', us.ada);
    const held = holdCalls('GET /api/Search', 'answer', 1);
    await field.fill('soup');
    await held.asked;
    await field.fill('canal');
    await expect.element(section('Ideas').getByRole('heading', { name: 'That Thai place' })).toBeVisible();
    held.release();
    await expect.element(soup).not.toBeInTheDocument();
    expect(page.getByRole('heading', { name: 'Ideas' }).elements()).toHaveLength(1);
  });

  it('is offline what was last seen, and says so', { tags: ['search.10'] }, async () => {
    await page.viewport(1280, 800);
    await show('/planned-dates', us.ada);
    await expect.element(page.getByText('That Thai place').first()).toBeVisible();
    await page.getByRole('link', { name: 'Memories', exact: true }).click();
    await expect.element(page.getByRole('button', { name: 'View: The thai soup' })).toBeVisible();
    await page.getByRole('link', { name: 'Search our story' }).click();
    await expect.element(field).toBeVisible();
    setOffline(true);
    await field.fill('thai');
    const said = page.getByText('this is what was last seen on this device');
    await expect.element(said).toBeVisible();
    await expect.element(section('Dates').getByRole('heading', { name: 'That Thai place' })).toBeVisible();
    await expect.element(soup).toBeVisible();
    setOffline(false);
    await expect
      .element(section('Ideas').getByRole('heading', { name: 'That Thai place' }), UNTIL_RECONNECTED)
      .toBeVisible();
    await expect.element(said).not.toBeInTheDocument();
  });

  it('is accessible at three widths', { tags: ['search.5', 'screens.controls.3'] }, async () => {
    await show('/search?q=thai', us.ada);
    await expect.element(section('Memories')).toBeVisible();
    const found = await findIssuesAtEverySize('found');
    await show('/search?q=nothing-here', us.ada);
    await expect.element(page.getByText('No matches for')).toBeVisible();
    expect([...found, ...(await findIssuesAtEverySize('nothing found'))]).toEqual([]);
  });
});
