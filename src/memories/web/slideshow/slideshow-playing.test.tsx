import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { completeDate } from '../../../../tests/support/factories.ts';
import { setReducedMotion } from '../../../../tests/support/screen-issues.ts';
import {
  advance,
  type Couple,
  clickAtOnce,
  registerUs,
  show,
  uploadPhoto,
} from '../../../../tests/support/screens.tsx';
import type { PlannedDate } from '../../../dates/contract.ts';

describe('a playing slideshow', () => {
  let us: Couple;
  let beach: PlannedDate;
  let single: PlannedDate;
  beforeAll(async () => {
    us = await registerUs('Europe/Rome');
    beach = await completeDate(us.ada, { idea: { title: 'The whole beach' }, at: '2026-11-20T14:00:00Z', minutes: 60 });
    single = await completeDate(us.ada, { idea: { title: 'Alone' }, at: '2026-11-19T14:00:00Z', minutes: 60 });
    for (let n = 1; n <= 3; n += 1) await uploadPhoto(us.ada, beach.id, n, `Photo ${n}`);
    await uploadPhoto(us.ada, single.id, 9, 'Only one');
  });

  const slides = () => page.getByRole('dialog', { name: 'Slideshow' });
  const caption = () => slides().element().querySelector<HTMLElement>('.felt')?.innerText;
  const button = (name: string) => slides().getByRole('button', { name, exact: true });
  const picture = (alt: string) => slides().query()?.querySelector<HTMLImageElement>(`img[alt="${alt}"]`);
  /** Whether the slide's time has begun: with it, the blurred background of its picture is gone. */
  const hasBegun = (alt: string) => picture(alt)?.style.backgroundImage === '';
  const start = async (path = `/memories?dateId=${beach.id}`) => {
    await show(path, us.ada);
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await expect.element(slides()).toBeVisible();
  };
  beforeEach(() => setReducedMotion(false));
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await setReducedMotion(true);
  });

  it('advances after four seconds, and not before', { tags: ['memories.slideshow.3'] }, async () => {
    await show(`/memories?dateId=${beach.id}`, us.ada);
    await expect.element(page.getByRole('button', { name: 'View: Photo 3', exact: true })).toBeVisible();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    clickAtOnce(page.getByRole('button', { name: 'View Slideshow' }));
    // A poll would advance the timers.
    while (!hasBegun('Photo 3')) await new Promise(requestAnimationFrame);
    await advance(3_900);
    expect(caption()).toBe('Photo 3');
    await advance(200);
    expect(caption()).toBe('Photo 2');
  });

  it('does not play with a single memory', { tags: ['memories.slideshow.2'] }, async () => {
    await start(`/memories?dateId=${single.id}`);
    await expect.poll(caption).toBe('Only one');
    for (const name of ['Play', 'Previous', 'Next']) await expect.element(button(name)).toBeDisabled();
    await userEvent.keyboard('{ArrowRight}');
    expect(caption()).toBe('Only one');
  });

  it('keeps the screen awake only while it plays', { tags: ['memories.slideshow.13'] }, async () => {
    let locks = 0;
    vi.spyOn(navigator.wakeLock, 'request').mockImplementation(async () => {
      locks += 1;
      return Object.assign(new EventTarget(), {
        release: async () => {
          locks -= 1;
        },
      }) as unknown as WakeLockSentinel;
    });
    const held = () => locks;
    await start();
    await expect.poll(held).toBe(1);
    await button('Pause').click();
    await expect.poll(held).toBe(0);
    await button('Play').click();
    await expect.poll(held).toBe(1);
    await userEvent.keyboard('{Escape}');
    await expect.poll(held).toBe(0);
  });

  it('closes with its button, and restores the focus', { tags: ['memories.slideshow.6'] }, async () => {
    await show(`/memories?dateId=${beach.id}`, us.ada);
    const view = page.getByRole('button', { name: 'View: Photo 2', exact: true });
    await view.click();
    await button('Close').click();
    await expect.element(slides()).not.toBeInTheDocument();
    await expect.element(view).toHaveFocus();
  });

  it('continues when the partner deletes, and closes when nothing is left', {
    tags: ['memories.slideshow.7'],
  }, async () => {
    const date = await completeDate(us.ada, { idea: { title: 'Short' }, at: '2026-11-18T14:00:00Z', minutes: 60 });
    const [first, second] = [
      await uploadPhoto(us.ada, date.id, 21, 'First'),
      await uploadPhoto(us.ada, date.id, 22, 'Second'),
    ];
    await start(`/memories?dateId=${date.id}`);
    await expect.poll(caption).toBe('Second');
    await us.ben.call('DELETE /api/Memories/{id}', { params: { id: second.id } });
    await expect.poll(caption).toBe('First');
    await expect.element(slides().getByText('1 / 1')).toBeVisible();
    await us.ben.call('DELETE /api/Memories/{id}', { params: { id: first.id } });
    await expect.element(slides()).not.toBeInTheDocument();
    await expect.element(page.getByText('No memories found for this date.')).toBeVisible();
  });

  it('shows a heart for a picture that does not load, and continues', { tags: ['memories.slideshow.15'] }, async () => {
    await start();
    await expect.poll(() => picture('Photo 3')).not.toBeNull();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const image = picture('Photo 3');
    if (image) image.src = '/api/Memories/none/image';
    await expect.element(slides().getByRole('img', { name: 'Photo 3' })).toBeVisible();
    await expect.poll(() => picture('Photo 3')).toBeNull();
    await expect
      .poll(async () => {
        await advance(4_000);
        return caption();
      })
      .not.toBe('Photo 3');
  });
});
