import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { completeDate } from '../../../tests/support/factories.ts';
import { answerUploads, refusal } from '../../../tests/support/handle-calls.ts';
import {
  address,
  advance,
  type Couple,
  clickAtOnce,
  makePhoto,
  registerUs,
  show,
} from '../../../tests/support/screens.tsx';
import { findUnsent } from './queue/unsent-store.ts';

const save = page.getByRole('button', { name: /^Save \d+ Memor/ });
const caption = page.getByRole('textbox', { name: 'Caption' });
const success = page.getByText('Memories Uploaded Successfully!');
const busy = page.getByText('The server is busy. Trying again in a moment.');

let us: Couple;
let date: string;
beforeEach(async () => {
  await page.viewport(1280, 800);
  us = await registerUs();
  const idea = { title: 'The whole beach' };
  ({ id: date } = await completeDate(us.ada, { idea, at: '2026-11-20T14:00:00Z', minutes: 60 }));
});
afterEach(() => vi.useRealTimers());

const photos = async () =>
  (await us.ada.call('GET /api/Memories', { query: { plannedDateId: date, sort: 'date-asc' } })).body;

/** Opens the upload of our date and chooses photographs. */
async function choose(...files: File[]): Promise<void> {
  await show(`/memories/upload/${date}`, us.ada);
  await userEvent.upload(page.getByLabelText('Choose photos'), files);
  await expect.element(save).toBeEnabled();
}

/** Waits until the photographs are saved: the page says so for two seconds, and then opens the gallery. */
async function succeeded(): Promise<void> {
  await expect.poll(address).toBe(`/memories?dateId=${date}`);
}

/** From now on, the timeouts of the page run only as `until` advances them. */
const holdTimeouts = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

/** Advances the page's time in steps until a condition holds. */
async function until(holds: () => boolean, stepMs: number): Promise<void> {
  await expect
    .poll(async () => {
      await advance(stepMs);
      return holds();
    })
    .toBe(true);
}

describe('sending photos', () => {
  it('trims captions, and leaves out empty ones', { tags: ['uploads.choosing.5'] }, async () => {
    await choose(await makePhoto('a.jpg'), await makePhoto('b.jpg', { seed: 2 }));
    await caption.first().fill('   ');
    await caption.nth(1).fill('  Ours ');
    await save.click();
    await succeeded();
    expect((await photos()).map((one) => one.caption)).toEqual([null, 'Ours']);
  });

  it('is not possible while a caption is too long', { tags: ['uploads.choosing.5'] }, async () => {
    const keys = answerUploads();
    await choose(await makePhoto('a.jpg'));
    await caption.fill('x'.repeat(501));
    await expect.element(page.getByText('501/500')).toBeVisible();
    await save.click();
    await expect.element(page.getByText('Caption cannot exceed 500 characters')).toBeVisible();
    await expect.element(caption).toHaveFocus();
    expect(keys).toEqual([]);
    await caption.fill('x'.repeat(500));
    await save.click();
    await expect.element(page.getByText('Our 1 beautiful moment has been saved forever')).toBeVisible();
  });

  it('shows the progress, and locks the selection', { tags: ['uploads.sending.1', 'uploads.sending.3'] }, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answerUploads('save', promise);
    await choose(await makePhoto('a.jpg'), await makePhoto('b.jpg', { seed: 2 }));
    await save.click();
    await expect.element(page.getByText('Uploading our precious memories...')).toBeVisible();
    await expect.element(page.getByText('1 of 2 uploaded')).toBeVisible();
    await expect.element(page.getByText(/^(5\d|[6-8]\d|9[0-5])% Complete$/)).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Uploading 1/2...' })).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await expect.element(page.getByRole('button', { name: 'Remove b.jpg' })).toBeDisabled();
    await expect.element(caption.nth(1)).toBeDisabled();
    resolve();
    await succeeded();
  });

  it('simulates progress up to 90 percent if the browser reports none', { tags: ['uploads.sending.4'] }, async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answerUploads(promise);
    await choose(await makePhoto('a.jpg'));
    vi.spyOn(XMLHttpRequest.prototype, 'upload', 'get').mockReturnValue({} as XMLHttpRequestUpload);
    await save.click();
    await expect.element(page.getByText('90% Complete')).toBeVisible();
    await expect.element(page.getByRole('progressbar', { name: 'Upload of a.jpg' })).toBeVisible();
    resolve();
    await succeeded();
    vi.restoreAllMocks();
  });

  it('leads to the gallery two seconds after the success', { tags: ['uploads.sending.5'] }, async () => {
    await choose(await makePhoto('a.jpg'));
    // The page's time moves only in small steps, so a slow machine can't use up the two seconds.
    holdTimeouts();
    clickAtOnce(save);
    await until(() => success.elements().length > 0, 10);
    await advance(1500);
    expect(address()).toBe(`/memories/upload/${date}`);
    await advance(600);
    await succeeded();
  });

  it('reports failed photos, and retries only those', {
    tags: ['uploads.sending.2', 'uploads.sending.6'],
  }, async () => {
    const keys = answerUploads();
    const whole = await makePhoto('b.jpg', { seed: 2 });
    const half = new File([whole.slice(0, whole.size / 2)], 'half.jpg', { type: 'image/jpeg' });
    await choose(await makePhoto('a.jpg'), half, await makePhoto('c.jpg', { seed: 3 }));
    await save.click();
    for (const text of [
      '1 file(s) failed to upload. You can retry the failed uploads or continue with the 2 successfully uploaded memories.',
      'Some files failed to upload. You can retry or continue without them.',
      'Upload failed - click retry to try again',
      '2 of 3 uploaded',
    ]) {
      await expect.element(page.getByText(text)).toBeVisible();
    }
    expect(keys).toHaveLength(3);
    await page.getByRole('button', { name: 'Retry Failed Uploads' }).click();
    await expect.poll(() => keys).toHaveLength(4);
    await expect.element(page.getByText('Upload failed - click retry to try again')).toBeVisible();
    await page.getByRole('link', { name: 'Continue without them' }).click();
    await expect.element(page.getByText('2 memories found')).toBeVisible();
    expect(await photos()).toHaveLength(2);
  });

  it('retries by itself if the server is busy, and after no other refusal', {
    tags: ['uploads.sending.7'],
  }, async () => {
    const full = 'Our disk is full. Nothing was saved; make room and try again.';
    const keys = answerUploads(refusal(503, 'Not now', { 'retry-after': '1' }), 'save', refusal(507, full));
    await choose(await makePhoto('a.jpg'), await makePhoto('b.jpg', { seed: 2 }));
    holdTimeouts();
    await save.click();
    await expect.element(busy).toBeVisible();
    await advance(1000);
    await expect.element(page.getByText('Our disk is full.')).toBeVisible();
    await expect.element(page.getByText('Upload failed - click retry to try again')).toBeVisible();
    expect(keys).toHaveLength(3);
    expect(await photos()).toHaveLength(1);
  });

  it('waits while an earlier attempt is still running, and sends the photo under the same key', {
    tags: ['uploads.sending.9'],
  }, async () => {
    // A server may take longer than half a minute for one photograph.
    const message = 'The first request with this Idempotency-Key is still running.';
    const stillRunning = refusal(409, message, { 'retry-after': '1' });
    const keys = answerUploads(...Array.from({ length: 7 }, () => stillRunning));
    await choose(await makePhoto('a.jpg'));
    holdTimeouts();
    await save.click();
    await until(() => busy.elements().length > 0, 1);
    await until(() => success.elements().length > 0, 1000);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(8);
    expect(await photos()).toHaveLength(1);
  });

  it('gives up after a while, keeps the photos, and says so', { tags: ['uploads.sending.7'] }, async () => {
    answerUploads(...Array.from({ length: 6 }, () => 'cut' as const));
    await choose(await makePhoto('a.jpg'));
    holdTimeouts();
    await save.click();
    const failed = page.getByText(
      'An unexpected error occurred during upload. Please check your connection and try again.',
    );
    await until(() => failed.elements().length > 0, 1000);
    vi.useRealTimers();
    await page.getByRole('button', { name: 'Retry Failed Uploads' }).click();
    await succeeded();
    expect(await photos()).toHaveLength(1);
  });

  it('takes no photo for saved that something else than the server has taken', {
    tags: ['uploads.sending.15'],
  }, async () => {
    const keys = answerUploads(
      { status: 204 },
      { status: 200, headers: { 'content-type': 'application/json' }, body: '{"isSignedIn":false}' },
      { status: 200, headers: { 'content-type': 'text/plain' }, body: 'Welcome' },
    );
    await choose(await makePhoto('a.jpg'));
    holdTimeouts();
    await save.click();
    await until(() => success.elements().length > 0, 1000);
    expect(keys).toHaveLength(4);
    expect(await photos()).toHaveLength(1);
  });

  it('counts as done if the album had the photo and it was deleted since, but not by the 410 of a proxy', {
    tags: ['screens.offline.15'],
  }, async () => {
    const gone = JSON.stringify({ message: 'Gone' });
    answerUploads({ status: 410, headers: { 'content-type': 'text/html' }, body: gone }, refusal(410, 'Gone'));
    await choose(await makePhoto('a.jpg'));
    await expect.poll(() => findUnsent(us.ada.user.id)).toHaveLength(1);
    await save.click();
    await expect.element(page.getByRole('alert').first()).toBeVisible();
    expect(await findUnsent(us.ada.user.id)).toHaveLength(1);
    await save.click();
    await succeeded();
    expect(await findUnsent(us.ada.user.id)).toEqual([]);
  });

  it('asks before it is canceled, however the page is left', { tags: ['uploads.sending.8'] }, async () => {
    answerUploads('never');
    await choose(await makePhoto('a.jpg'));
    await save.click();
    const question = page.getByRole('alertdialog');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.element(question.getByText('Upload in progress. Are you sure you want to cancel?')).toBeVisible();
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect.element(page.getByText('0 of 1 uploaded')).toBeVisible();
    await page.getByRole('link', { name: 'Our Dates' }).click();
    await expect.element(question).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'Stop' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await expect.poll(address).toBe('/memories');
    expect(await photos()).toEqual([]);
  });

  it('can be left without a question when nothing is being sent', { tags: ['uploads.sending.8'] }, async () => {
    await choose(await makePhoto('a.jpg'));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(address).toBe('/memories');
  });
});
