import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { completeDate, planDate } from '../../../tests/support/factories.ts';
import { refuseCalls, repairAtClick } from '../../../tests/support/handle-calls.ts';
import { findIssuesAtEverySize } from '../../../tests/support/screen-issues.ts';
import { address, type Couple, makePhoto, registerUs, show, textsOf } from '../../../tests/support/screens.tsx';
import { DAY } from '../../base/durations.ts';

const picker = page.getByLabelText('Choose photos');
const save = page.getByRole('button', { name: /^Save \d+ Memor/ });
const date = page.getByRole('combobox', { name: 'Which magical date are these memories from?' });
const card = (name: string) => page.getByRole('listitem').filter({ hasText: name });
const heading = (name: string) => page.getByRole('heading', { name });

let us: Couple;
let arezzo: string;
let dinner: string;
beforeAll(async () => {
  us = await registerUs('Europe/Rome');
  const weekend = { idea: { title: 'Two days in Arezzo' }, at: '2026-10-17T08:50:00Z', minutes: 1825 };
  ({ id: arezzo } = await completeDate(us.ada, weekend));
  const river = { idea: { title: 'Dinner by the river' }, at: '2026-10-20T18:00:00Z', minutes: 120 };
  ({ id: dinner } = await completeDate(us.ada, river));
  await planDate(us.ada, { idea: { title: 'A film in the rain' }, at: Date.now() + 5 * DAY });
});

/** Opens the upload page, and waits until its dates are loaded. */
async function open(path = '/memories/upload'): Promise<void> {
  await page.viewport(1280, 800);
  await show(path, us.ada);
  await expect.poll(() => date.getByRole('option').elements()).toHaveLength(4);
}

async function choose(...files: File[]): Promise<void> {
  await userEvent.upload(picker, files);
}

/** The numbers of memories of the weekend and of the dinner. */
async function counts(): Promise<number[]> {
  const memoriesOf = (plannedDateId: string) => us.ada.call('GET /api/Memories', { query: { plannedDateId } });
  return (await Promise.all([arezzo, dinner].map(memoriesOf))).map(({ body }) => body.length);
}

/** Removes all photos that an earlier test has left on the device. */
async function removeAll(): Promise<void> {
  await page.getByRole('button', { name: 'Remove All' }).click();
  await expect.element(page.getByText('Drag and drop, or click to browse')).toBeVisible();
}

describe('selecting photos', () => {
  beforeEach(() => open());

  it('has a title, and a picker for many files of the allowed types', { tags: ['uploads.choosing.1'] }, async () => {
    await expect.element(page.getByRole('heading', { level: 1, name: 'Add Beautiful Memories' })).toBeVisible();
    await expect.element(picker).toHaveAttribute('accept', 'image/jpeg,image/jpg,image/png,image/gif,image/webp');
    await expect.element(picker).toHaveAttribute('multiple');
    await expect.element(page.getByText('JPEG, PNG, GIF, WebP • Max 100MB per image • Up to 100 images')).toBeVisible();
  });

  it('shows the number of photos, and removes one or all', {
    tags: ['uploads.choosing.2', 'uploads.choosing.3'],
  }, async () => {
    await choose(await makePhoto('a.jpg'), await makePhoto('b.jpg', { seed: 2 }));
    await expect.element(heading('2 photos selected')).toBeVisible();
    await expect.element(page.getByText('(98 remaining)')).toBeVisible();
    await expect.element(page.getByText('2/100')).toBeVisible();
    await page.getByRole('button', { name: 'Remove a.jpg' }).click();
    await expect.element(heading('1 photo selected')).toBeVisible();
    await choose(await makePhoto('a.jpg'));
    await expect.element(heading('2 photos selected')).toBeVisible();
    await removeAll();
  });

  it('shows an upright preview of a photo', { tags: ['uploads.choosing.3'] }, async () => {
    await choose(await makePhoto('tall.jpg', { width: 400, height: 200, orientation: 6 }));
    const shape = () => {
      const image = card('tall.jpg').element().querySelector('img');
      return [image?.naturalWidth, image?.naturalHeight];
    };
    await expect.poll(shape).toEqual([200, 400]);
    await removeAll();
  });

  it('shows sizes as bytes, KB or MB with one decimal, and their sum', {
    tags: ['uploads.choosing.2', 'uploads.choosing.3'],
  }, async () => {
    const filled = (name: string, size: number) => new File([new Uint8Array(size)], name, { type: 'image/jpeg' });
    await choose(filled('a.jpg', 512), filled('b.jpg', 1536), filled('c.jpg', 2_621_440));
    await expect.element(card('a.jpg').getByText('512 bytes')).toBeVisible();
    await expect.element(card('b.jpg').getByText('1.5 KB')).toBeVisible();
    await expect.element(card('c.jpg').getByText('2.5 MB')).toBeVisible();
    await expect.element(page.getByText('2.5 MB · (97 remaining)')).toBeVisible();
    await removeAll();
  });

  it('names each invalid file, and accepts the others', {
    tags: ['uploads.choosing.1', 'uploads.choosing.7'],
  }, async () => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['%PDF'], 'notes.pdf', { type: 'application/pdf' }));
    dataTransfer.items.add(await makePhoto('sea.jpg'));
    dataTransfer.items.add(new File([new Uint8Array(100 * 1024 * 1024 + 1)], 'big.png', { type: 'image/png' }));
    const mount = page.getByText('Drag and drop').element();
    mount.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    const alert = page.getByRole('alert');
    await expect
      .element(alert)
      .toHaveTextContent(
        'notes.pdf: Invalid file type. Please use JPEG, PNG, GIF, or WebP. big.png: File too large. Maximum size is 100MB.',
      );
    await expect.element(heading('1 photo selected')).toBeVisible();
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(alert).not.toBeInTheDocument();
    await removeAll();
  });

  it('accepts none if there would be more than a hundred', {
    tags: ['uploads.choosing.2', 'uploads.choosing.7'],
  }, async () => {
    const one = await makePhoto('one.jpg');
    const many = (count: number) => Array.from({ length: count }, (_, n) => new File([one], `${n}.jpg`, one));
    await choose(...many(99));
    await expect.element(page.getByText('(1 remaining)')).toBeVisible();
    await choose(...many(2));
    const refusal = 'You can only upload up to 100 images at once. Please select fewer files.';
    await expect.element(page.getByText(refusal)).toBeVisible();
    await expect.element(heading('99 photos selected')).toBeVisible();
    await choose(...many(1));
    await expect.element(heading('100 photos selected')).toBeVisible();
    expect(page.getByText('remaining)').elements()).toEqual([]);
    await expect.element(page.getByRole('button', { name: 'Add More' })).toBeDisabled();
    await expect.element(page.getByRole('button', { name: 'Take Photo' })).toBeDisabled();
    await removeAll();
  });

  it('accepts a pasted picture', { tags: ['uploads.choosing.1'] }, async () => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(await makePhoto('pasted.jpg'));
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    await expect.element(page.getByText('pasted.jpg')).toBeVisible();
    await removeAll();
  });

  it('offers the dates', { tags: ['uploads.choosing.6'] }, () => {
    const options = textsOf(date.getByRole('option'));
    expect(options.slice(0, 3)).toEqual([
      'Select a date...',
      'Dinner by the river - Oct 20, 2026 ✨',
      'Two days in Arezzo - Oct 17, 2026 ✨',
    ]);
    expect(options[3]).toMatch(/^A film in the rain - \w{3} \d+, 20\d\d$/);
  });

  it('asks for a date', { tags: ['uploads.choosing.6', 'uploads.sending.1'] }, async () => {
    await choose(await makePhoto('sea.jpg'));
    await expect.element(page.getByRole('link', { name: 'choose a date' })).toBeVisible();
    await expect.element(save).toBeDisabled();
    await date.selectOptions(arezzo);
    await expect.element(page.getByText('Saturday, October 17, 2026')).toBeVisible();
    await expect.element(save).toBeEnabled();
    await removeAll();
  });

  it.each([
    ['both are', []],
    ['the photo is', ['date']],
    ['the date is', ['photo']],
  ])('asks for a photo and a date if %s missing', { tags: ['uploads.choosing.8'] }, async (_, given) => {
    if (given.includes('date')) await date.selectOptions(arezzo);
    if (given.includes('photo')) await choose(await makePhoto('sea.jpg'));
    await expect.element(save).toBeDisabled();
    document.querySelector('form')?.requestSubmit();
    const alert = 'Please select at least one photo and choose which date these memories are from.';
    await expect.element(page.getByRole('alert').getByText(alert)).toBeVisible();
    if (given.includes('photo')) await removeAll();
  });
});

describe('the dates to choose from', () => {
  it('are selected by the address', { tags: ['uploads.choosing.6'] }, async () => {
    await open(`/memories/upload/${arezzo}`);
    await choose(await makePhoto('sea.jpg'));
    await expect.element(date).toHaveValue(arezzo);
    await expect.element(save).toHaveTextContent('Save 1 Memory');
    await removeAll();
  });

  it('are loaded again after a failure', { tags: ['uploads.choosing.9'] }, async () => {
    const { ada } = await registerUs();
    const repair = refuseCalls('GET /api/PlannedDates', 500);
    await show('/memories/upload', ada);
    await expect.element(page.getByText('Failed to load our dates. Please try again.')).toBeVisible();
    repairAtClick(repair);
    await page.getByRole('button', { name: 'Try Again' }).click();
    await expect.element(page.getByText('We have not planned a date yet.')).toBeVisible();
  });
});

describe('photos selected without a date', () => {
  const notice = heading('We found the dates of 3 photos');
  const sortIn = page.getByRole('button', { name: 'Sort them in' });

  const takenAt = (name: string, seed: number, at: string, offset?: string) =>
    makePhoto(name, { seed, takenAt: at, ...(offset !== undefined && { offset }) });
  /** Two from the weekend (one of them only with its offset), one from the dinner, one without a capture time. */
  const fromTheTrip = () =>
    Promise.all([
      takenAt('tower.jpg', 41, '2026:10:17 12:00:00'),
      // 4 p.m. on the 18th in Rome, a quarter of an hour before the end. Without its offset it is after it.
      takenAt('farewell.jpg', 42, '2026:10:18 23:00:00', '+09:00'),
      takenAt('menu.jpg', 43, '2026:10:20 20:30:00'),
      makePhoto('scan.jpg', { seed: 39 }),
    ]);
  const proposed = (title: string): Locator => page.getByRole('listitem').filter({ hasText: title });

  it('are sorted with one tap', { tags: ['uploads.choosing.13'] }, async () => {
    await open();
    await choose(...(await fromTheTrip()));
    await expect.element(notice).toBeVisible();
    await expect.element(proposed('Two days in Arezzo').filter({ hasText: '2 photos' })).toBeVisible();
    await expect.element(proposed('Dinner by the river').filter({ hasText: '1 photo' })).toBeVisible();
    await expect.element(save).toBeDisabled();
    await sortIn.click();
    await expect.element(heading('3 photos sorted in')).toBeVisible();
    await expect.element(card('farewell.jpg').getByText('Two days in Arezzo')).toBeVisible();
    await expect.element(card('menu.jpg').getByText('Dinner by the river')).toBeVisible();
    await removeAll();
  });

  it('can each be given another date', { tags: ['uploads.choosing.13'] }, async () => {
    await open();
    await choose(...(await fromTheTrip()).slice(0, 2));
    await sortIn.click();
    await page.getByRole('button', { name: 'Change the date of tower.jpg' }).click();
    await card('tower.jpg').getByLabelText('Date').selectOptions(dinner);
    const before = await counts();
    await save.click();
    await expect.poll(address).toMatch(/^\/memories\?/);
    expect(await counts()).toEqual(before.map((count) => count + 1));
  });

  it('get the selected date if they have no capture time', { tags: ['uploads.choosing.13'] }, async () => {
    await open();
    await choose(...(await fromTheTrip()).slice(2));
    await sortIn.click();
    await expect.element(page.getByText('For the 1 photo without a date of its own')).toBeVisible();
    await expect.element(save).toBeDisabled();
    await date.selectOptions(arezzo);
    const before = await counts();
    await save.click();
    await expect.poll(address).toMatch(/^\/memories\?/);
    expect(await counts()).toEqual(before.map((count) => count + 1));
  });

  it('can be unsorted again', { tags: ['uploads.choosing.13'] }, async () => {
    await open();
    await choose(...(await fromTheTrip()).slice(0, 2));
    await sortIn.click();
    // Every photograph has a date, so no date needs to be selected.
    await expect.element(date).not.toBeInTheDocument();
    await expect.element(save).toBeEnabled();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(date).toBeVisible();
    await expect.element(save).toBeDisabled();
    await expect.element(sortIn).not.toBeInTheDocument();
    await removeAll();
  });

  it('are not offered to be sorted again after a dismissal; new ones are', {
    tags: ['uploads.choosing.13'],
  }, async () => {
    await open();
    await choose(...(await fromTheTrip()));
    await page.getByRole('button', { name: 'Not now' }).click();
    await expect.element(notice).not.toBeInTheDocument();
    await choose(await takenAt('late.jpg', 44, '2026:10:20 23:00:00'));
    await expect.element(heading('We found the date of 1 photo')).toBeVisible();
    await removeAll();
  });

  it('are no longer offered to be sorted once a date is selected', { tags: ['uploads.choosing.13'] }, async () => {
    await open();
    await choose(...(await fromTheTrip()));
    await expect.element(sortIn).toBeVisible();
    await date.selectOptions(arezzo);
    await expect.element(sortIn).not.toBeInTheDocument();
    await removeAll();
  });

  it('are accessible on a phone, a tablet and a desktop', async () => {
    await open();
    await choose(...(await fromTheTrip()));
    await expect.element(notice).toBeVisible();
    expect(await findIssuesAtEverySize('not sorted')).toEqual([]);
    await sortIn.click();
    await page.getByRole('button', { name: 'Change the date of tower.jpg' }).click();
    expect(await findIssuesAtEverySize('sorted')).toEqual([]);
    await removeAll();
  });
});
