import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MINUTE } from '../../../src/base/time.ts';
import type { PlannedDate } from '../../../src/dates/contract.ts';
import { focusedId, letReactRender, PHONE } from '../../support/browser.ts';
import { addPhoto, completeDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';

describe('the slideshow', () => {
  const us = useCouple();
  let date: PlannedDate;
  beforeAll(async () => {
    date = await completeDate(us.ada, { idea: { title: 'The whole beach' }, at: '2026-11-20T14:00:00Z', minutes: 60 });
    // Forty, more than the first page of the list. The newest is 'Photo 40'.
    for (let n = 1; n <= 40; n += 1) await addPhoto(us.ada, date.id, n, `Photo ${n}`);
  });

  const show = (page: Page) => page.getByRole('dialog', { name: 'Slideshow' });
  const caption = (page: Page) => show(page).locator('.felt').innerText();
  const press = (page: Page, name: string) => show(page).getByRole('button', { name, exact: true }).click();

  it('opens at the viewed memory, plays, and can be paused', {
    tags: ['memories.slideshow.1', 'memories.slideshow.2', 'memories.slideshow.4'],
  }, async () => {
    const page = await us.open({ reducedMotion: 'no-preference' });
    await page.clock.install();
    await page.goto('/memories');
    const view = page.getByRole('button', { name: 'View: Photo 39', exact: true });
    await view.waitFor();
    // From here only the test advances the page's clock, so the slide stays until the test has seen it.
    await page.clock.pauseAt(Date.now() + MINUTE);
    await view.click();
    await expect.poll(() => caption(page)).toBe('Photo 39');
    await show(page).getByRole('button', { name: 'Pause' }).waitFor();
    await expect
      .poll(() =>
        show(page)
          .locator('img[alt="Photo 39"]')
          .evaluate((img: HTMLImageElement) => img.complete),
      )
      .toBe(true);
    await expect
      .poll(async () => {
        await page.clock.runFor(4000);
        return caption(page);
      })
      .not.toBe('Photo 39');
    await page.keyboard.press('Space');
    await show(page).getByRole('button', { name: 'Play' }).waitFor();
    const stopped = await caption(page);
    await page.clock.runFor(20_000);
    await press(page, 'Play');
    await show(page).getByRole('button', { name: 'Pause' }).waitFor();
    expect(await caption(page)).toBe(stopped);
  });

  it('opens at the memory in a link, wherever it is, and removes it from the address when closed', {
    tags: ['home.dashboard.18'],
  }, async () => {
    const { body } = await us.ada.call('GET /api/Memories', { query: { count: '500' } });
    const oldest = body.find(({ caption }) => caption === 'Photo 1');
    const page = await us.open();
    for (const list of ['', '&sort=date-asc', '&sort=size', `&dateId=${date.id}`]) {
      await page.goto(`/memories?memory=${oldest?.id}${list}`);
      await expect.poll(() => caption(page)).toBe('Photo 1');
      await press(page, 'Close');
      await show(page).waitFor({ state: 'detached' });
      await expect.poll(() => new URL(page.url()).searchParams.has('memory')).toBe(false);
    }
    // After a reload it opens there again, and the deletion doesn't close it.
    const gone = await addPhoto(us.ada, date.id, 41, 'Photo 41');
    await page.goto(`/memories?memory=${gone.id}`);
    await expect.poll(() => caption(page)).toBe('Photo 41');
    await page.reload();
    await expect.poll(() => caption(page)).toBe('Photo 41');
    await press(page, 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => caption(page)).toBe('Photo 40');
    expect(await page.getByText('This memory is no longer in our album.').count()).toBe(0);

    await page.goto(`/memories?memory=${gone.id}`);
    await page.getByRole('alert').getByText('This memory is no longer in our album.').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');
    expect(await show(page).count()).toBe(0);
  });

  it('opens from the dashboard, the year-ago card and a date’s details', { tags: ['home.dashboard.18'] }, async () => {
    const at = `${Temporal.Now.plainDateISO('UTC').subtract({ years: 1 }).toString()}T12:00:00Z`;
    const past = await completeDate(us.ada, { idea: { title: 'A long walk' }, at, minutes: 60 });
    await addPhoto(us.ada, past.id, 50, 'Frost');
    onTestFinished(async () => void (await us.ada.call('DELETE /api/PlannedDates/{id}', { params: { id: past.id } })));
    const page = await us.open({ timezoneId: 'UTC' });
    for (const [path, name, photo] of [
      ['/dashboard', 'Recent Memories', 'Photo 39'],
      ['/dashboard', 'A year ago today', 'Frost'],
      [`/planned-dates/${date.id}`, 'Memories', 'Photo 39'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('region', { name, exact: true }).getByRole('link', { name: photo }).click();
      await expect.poll(() => caption(page)).toBe(photo);
      await expect.poll(() => new URL(page.url()).pathname).toBe('/memories');
      await page.goBack();
      await page.getByRole('region', { name, exact: true }).waitFor();
    }
  });

  it('does not autoplay with reduced motion', { tags: ['memories.slideshow.2'] }, async () => {
    const page = await us.open();
    await page.goto('/memories');
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await show(page).getByRole('button', { name: 'Play' }).waitFor();
  });

  it('wraps around in both directions, by buttons and by keys', {
    tags: ['memories.slideshow.5', 'memories.slideshow.6'],
  }, async () => {
    const page = await us.open(PHONE);
    await page.goto('/memories');
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await expect.poll(() => caption(page)).toBe('Photo 40');
    await show(page).getByText('1 / 40').waitFor();
    await press(page, 'Previous');
    await expect.poll(() => caption(page)).toBe('Photo 1');
    await show(page).getByText('40 / 40').waitFor();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => caption(page)).toBe('Photo 2');
    await page.keyboard.press('ArrowRight');
    await press(page, 'Next');
    await expect.poll(() => caption(page)).toBe('Photo 40');
    await page.keyboard.press('Escape');
    await expect.poll(() => show(page).count()).toBe(0);
  });

  it('reaches every memory, including those not loaded yet', { tags: ['memories.slideshow.5'] }, async () => {
    const page = await us.open();
    await page.goto('/memories?sort=date-asc');
    await page.getByRole('button', { name: 'View: Photo 1', exact: true }).click();
    for (let n = 1; n <= 40; n += 1) {
      await expect.poll(() => caption(page)).toBe(`Photo ${n}`);
      await page.keyboard.press('ArrowRight');
    }
    await expect.poll(() => caption(page)).toBe('Photo 1');
  });

  it('advances by a swipe of more than 50 px', { tags: ['memories.slideshow.9'] }, async () => {
    const page = await us.open({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.goto('/memories');
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await expect.poll(() => caption(page)).toBe('Photo 40');
    const swipe = async (by: number) => {
      await page.mouse.move(200, 300);
      await page.mouse.down();
      await page.mouse.move(200 + by, 310, { steps: 4 });
      await page.mouse.up();
    };
    await swipe(-40);
    await letReactRender(page);
    expect(await caption(page)).toBe('Photo 40');
    await swipe(-60);
    await expect.poll(() => caption(page)).toBe('Photo 39');
    await swipe(60);
    await expect.poll(() => caption(page)).toBe('Photo 40');
  });

  it('scrolls its strip by 200 px, and opens the pressed thumbnail', { tags: ['memories.slideshow.11'] }, async () => {
    const page = await us.open();
    await page.clock.install();
    await page.goto('/memories');
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    const third = show(page).getByRole('button', { name: '3 of 40', exact: true });
    const left = () =>
      show(page)
        .locator('*')
        .evaluateAll((all) => all.find((one) => one.scrollWidth > one.clientWidth + 300)?.scrollLeft);
    await third.click();
    await expect.poll(() => caption(page)).toBe('Photo 38');
    await expect.poll(() => third.getAttribute('aria-current')).toBe('true');
    // For a moment, the strip centers the slide again when a thumbnail is measured, such as one that is scrolled to.
    await page.clock.fastForward(1_000);
    const before = (await left()) ?? 0;
    await press(page, 'Scroll right');
    await expect.poll(left).toBe(before + 200);
    await press(page, 'Scroll left');
    await expect.poll(left).toBe(before);
  });

  it('preloads the next six pictures', { tags: ['memories.slideshow.10'] }, async () => {
    const page = await us.open();
    const fetched = new Set<string>();
    page.on('request', (request) => {
      if (request.url().includes('size=preview')) fetched.add(request.url());
    });
    await page.goto('/memories');
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await expect.poll(() => fetched.size).toBe(7);
  });
});

describe('deleting in the slideshow', () => {
  const us = useCouple();
  beforeAll(async () => {
    const date = await completeDate(us.ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    await addPhoto(us.ada, date.id, 1, 'First');
    await addPhoto(us.ada, date.id, 2, 'Last');
  });

  it('continues with the next memory, and closes after the last', {
    tags: ['memories.slideshow.7', 'memories.slideshow.8'],
  }, async () => {
    const page = await us.open();
    const show = page.getByRole('dialog', { name: 'Slideshow' });
    const question = page.getByRole('alertdialog');
    await page.goto('/memories');
    await page.getByRole('button', { name: 'View Slideshow' }).click();
    await show.getByText('Last').waitFor();
    await show.getByRole('button', { name: 'Delete' }).click();
    await question.getByText('Are you sure you want to delete this memory?').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await show.getByText('First').waitFor();
    await show.getByText('1 / 1').waitFor();
    await show.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => show.count()).toBe(0);
    await page.getByText('No memories yet!').waitFor();
  });
});

describe('a slideshow that closes after a deletion', () => {
  const us = useCouple();
  beforeAll(async () => {
    const date = await completeDate(us.ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    await addPhoto(us.ada, date.id, 1, 'Left');
    await addPhoto(us.ada, date.id, 2, 'Right');
  });

  it('still offers to undo it, also when it closes by itself', { tags: ['memories.slideshow.8'] }, async () => {
    const page = await us.open();
    const show = page.getByRole('dialog', { name: 'Slideshow' });
    const deleteShown = async () => {
      await show.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    };
    await page.goto('/memories');
    await page.getByRole('button', { name: 'View: Right', exact: true }).click();
    await show.getByText('Right').waitFor();
    await deleteShown();
    await show.getByText('1 / 1').waitFor();
    await show.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => focusedId(page)).toBe('main');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 memories found').waitFor();
    await page.getByRole('status').filter({ hasText: 'Memory deleted.' }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Delete: Right' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('1 memory found').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await page.getByRole('button', { name: 'View: Left', exact: true }).click();
    await deleteShown();
    await show.waitFor({ state: 'detached' });
    await page.getByText('No memories yet!').waitFor();
    await expect.poll(() => focusedId(page)).toBe('main');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 memory found').waitFor();
  });
});
