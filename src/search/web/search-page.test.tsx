import { beforeAll, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { joinAsBen } from '../../../tests/support/client.ts';
import { completeDate } from '../../../tests/support/factories.ts';
import {
  address,
  type Couple,
  findIssuesAtEverySize,
  registerUs,
  setOffline,
  show,
} from '../../../tests/support/screens.tsx';
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
