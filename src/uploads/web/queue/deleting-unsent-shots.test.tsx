import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { completeDate } from '../../../../tests/support/factories.ts';
import { answerUploads, refusal } from '../../../../tests/support/handle-calls.ts';
import { findIssues } from '../../../../tests/support/screen-issues.ts';
import { address, type Couple, makePhoto, registerUs, show } from '../../../../tests/support/screens.tsx';
import { findUnsent } from './unsent-store.ts';

const cards = page.getByRole('button', { name: /^Remove captured-memory-/ });
const continueLink = page.getByRole('link', { name: 'Continue without them' });
const save = page.getByRole('button', { name: /^Save \d+ Memor/ });

let us: Couple;
let date: string;
beforeEach(async () => {
  await page.viewport(1280, 800);
  us = await registerUs();
  const idea = { title: 'The whole beach' };
  ({ id: date } = await completeDate(us.ada, { idea, at: '2026-11-20T14:00:00Z', minutes: 60 }));
});

const kept = async () => (await findUnsent(us.ada.user.id)).length;
async function expectKept(count: number): Promise<void> {
  await expect.poll(kept).toBe(count);
}

/** Takes photographs with the app's camera, and closes it. */
async function takePhotos(count: number): Promise<void> {
  await page.getByRole('button', { name: 'Take Photo', exact: true }).click();
  for (let taken = 1; taken <= count; taken += 1) {
    // Two captures of one frame are the same photograph, which the album keeps once.
    if (taken > 1) await nextFrame();
    await page.getByRole('button', { name: 'Capture photo', exact: true }).click();
    await expect.element(page.getByText(`${taken} captured`)).toBeVisible();
  }
  await page.getByRole('button', { name: 'Close camera', exact: true }).click();
}

async function nextFrame(): Promise<void> {
  const video = page.getByLabelText('Live picture of the camera').element() as HTMLVideoElement;
  await new Promise((shown) => video.requestVideoFrameCallback(shown));
}

/** Opens the upload of our date and takes photographs. */
async function shoot(count = 1): Promise<void> {
  await show(`/memories/upload/${date}`, us.ada);
  await takePhotos(count);
}

async function choose(): Promise<void> {
  await userEvent.upload(page.getByLabelText('Choose photos'), [await makePhoto('chosen.jpg')]);
}

/** Lets the device store no photograph until the test is over. */
function fillDevice(): void {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (...row) {
    if (this.name === 'files') throw new DOMException('No room', 'QuotaExceededError');
    return put.apply(this, row);
  };
  onTestFinished(() => {
    IDBObjectStore.prototype.put = put;
  });
}

const question = (count: number) =>
  page.getByRole('alertdialog', {
    name:
      count === 1
        ? '1 photo taken here has not been sent yet. Are you sure you want to delete it?'
        : `${count} photos taken here have not been sent yet. Are you sure you want to delete them?`,
    exact: true,
  });
async function answer(count: number, by: 'Keep' | 'Delete'): Promise<void> {
  await question(count).getByRole('button', { name: by, exact: true }).click();
  await expect.element(question(count)).not.toBeInTheDocument();
}

/** A photograph taken with the app's camera is nowhere else until it is uploaded. */
describe('photos taken on the upload page that are not uploaded', () => {
  it('are deleted by ‘Continue without them’ only after a question', { tags: ['uploads.camera.7'] }, async () => {
    answerUploads(refusal(507));
    await shoot();
    await expectKept(1);
    await choose();
    await save.click();
    await continueLink.click();
    await expect.element(question(1)).toBeVisible();
    await expectKept(1);
    expect(await findIssues('question')).toEqual([]);
    await answer(1, 'Keep');
    await expectKept(1);
    expect(cards.elements()).toHaveLength(1);
    // It is still there to be sent.
    await expect.element(page.getByRole('button', { name: 'Retry Failed Uploads' })).toBeVisible();
    await continueLink.click();
    await answer(1, 'Delete');
    await expect.poll(address).toBe(`/memories?dateId=${date}`);
    await expectKept(0);
    const { body } = await us.ada.call('GET /api/Memories', { query: { plannedDateId: date } });
    expect(body).toHaveLength(1);
  });

  it('are deleted by ‘Cancel’ only after a question', { tags: ['uploads.camera.7'] }, async () => {
    await shoot(2);
    await expectKept(2);
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
    await cancel.click();
    await answer(2, 'Keep');
    expect(cards.elements()).toHaveLength(2);
    // Escape keeps them too.
    await cancel.click();
    await expect.element(question(2)).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(question(2)).not.toBeInTheDocument();
    expect(address()).toContain('/upload');
    await expectKept(2);
    await cancel.click();
    await answer(2, 'Delete');
    await expect.poll(address).toBe('/memories');
    await expectKept(0);
  });

  it('are each removed only after a question, which one that was chosen does not need', {
    tags: ['uploads.camera.7'],
  }, async () => {
    await shoot(2);
    await choose();
    await expectKept(3);
    // A chosen photograph is still where it was chosen.
    await page.getByRole('button', { name: 'Remove chosen.jpg' }).click();
    await expect.element(page.getByRole('heading', { name: '2 photos selected' })).toBeVisible();
    await cards.first().click();
    await answer(1, 'Keep');
    await expectKept(2);
    expect(cards.elements()).toHaveLength(2);
    await cards.first().click();
    await answer(1, 'Delete');
    await expect.element(page.getByRole('heading', { name: '1 photo selected' })).toBeVisible();
    await expectKept(1);
  });

  it('are deleted by ‘Remove All’ only after a question', { tags: ['uploads.camera.7'] }, async () => {
    await shoot(2);
    await expectKept(2);
    const removeAll = page.getByRole('button', { name: 'Remove All' });
    await removeAll.click();
    await answer(2, 'Keep');
    await expectKept(2);
    expect(cards.elements()).toHaveLength(2);
    await removeAll.click();
    await answer(2, 'Delete');
    await expect.element(page.getByText('Drag and drop')).toBeVisible();
    await expectKept(0);
  });

  it('are deleted by ‘Discard’ at the next visit only after a question', { tags: ['uploads.camera.7'] }, async () => {
    await shoot();
    await choose();
    await expectKept(2);
    await show('/memories/upload', us.ada);
    const discard = page.getByRole('button', { name: 'Discard' });
    await discard.click();
    await answer(1, 'Keep');
    await expect.element(page.getByRole('heading', { name: 'We kept 2 photos for you' })).toBeVisible();
    await expectKept(2);
    await discard.click();
    await answer(1, 'Delete');
    await expect.element(page.getByRole('heading', { name: /^We kept/ })).not.toBeInTheDocument();
    await expectKept(0);
  });

  it('are counted by the question of ‘Continue without them’ if the device could not store them', {
    tags: ['uploads.camera.7'],
  }, async () => {
    fillDevice();
    answerUploads('save', refusal(507));
    await shoot(2);
    await expect.element(page.getByText(/^This device couldn’t store/)).toBeVisible();
    await save.click();
    await expect.element(continueLink).toBeVisible();
    // Of these three, one is uploaded, one has failed, and one was taken since.
    await takePhotos(1);
    await continueLink.click();
    await answer(2, 'Keep');
    expect(cards.elements()).toHaveLength(3);
    await continueLink.click();
    // One question is enough.
    await answer(2, 'Delete');
    await expect.poll(address).toBe(`/memories?dateId=${date}`);
  });
});
