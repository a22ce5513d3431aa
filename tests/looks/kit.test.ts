import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findViolations } from '../support/axe.ts';
import { letReactRender, stopClock } from '../support/page-steps.ts';
import { useChromium } from '../support/use-chromium.ts';

/** Tests of the shared components in a real browser with the app's CSP. */

const chromium = useChromium();
const configFile = join(import.meta.dirname, 'vite.config.ts');
let folder: string;
let server: PreviewServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kit-'));
  const out = { outDir: folder, emptyOutDir: true };
  await build({ configFile, logLevel: 'error', build: out });
  server = await preview({ configFile, logLevel: 'error', build: out, preview: { port: 0, host: '127.0.0.1' } });
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function kit(show: string, options: Parameters<typeof chromium.open>[1] = {}): Promise<Page> {
  const page = await chromium.open(server.resolvedUrls?.local[0] ?? '', {
    viewport: { width: 1280, height: 900 },
    // Without a GPU, the animation of the spinners would load the CPU.
    reducedMotion: 'reduce',
    ...options,
  });
  await page.goto(`/kit.html?show=${show}`);
  await page.locator('main').waitFor();
  return page;
}

/** Pauses the page's clock, so that a notice stays until the test advances it. */
async function pauseClock(page: Page): Promise<void> {
  await page.clock.install();
  await stopClock(page);
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe('a confirmation', () => {
  it('focuses the safe button; Escape keeps everything and returns the focus', {
    tags: ['screens.controls.1'],
  }, async () => {
    const page = await kit('states');
    await page.getByRole('button', { name: 'Ask' }).press('Enter');
    const dialog = page.getByRole('alertdialog', {
      name: 'Are you sure you want to permanently delete this planned date?',
    });
    await dialog.waitFor();
    await expect.poll(() => focused(page)).toBe('Keep');
    await page.keyboard.press('Escape');
    await page.getByTestId('answer').getByText('kept').waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
    await expect.poll(() => focused(page)).toBe('Ask');
  });

  it('is confirmed by the button with the verb', async () => {
    const page = await kit('states');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByTestId('answer').getByText('deleted').waitFor();
  });
});

describe('notices', () => {
  it('appear, stay on hover, and disappear by themselves', { tags: ['screens.controls.1'] }, async () => {
    const page = await kit('states');
    await pauseClock(page);
    await page.getByRole('button', { name: 'Say', exact: true }).click();
    const notice = page.getByRole('status').getByText('Date saved');
    await notice.hover();
    await letReactRender(page);
    await page.clock.fastForward(60_000);
    await letReactRender(page);
    expect(await notice.isVisible()).toBe(true);
    await page.mouse.move(0, 0);
    await letReactRender(page);
    await page.clock.fastForward(6_000);
    await notice.waitFor({ state: 'detached' });
  });

  it('offer Undo, and return the focus', async () => {
    const page = await kit('states');
    await pauseClock(page);
    await page.getByRole('button', { name: 'Say with Undo' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Date put back').waitFor();
    await expect.poll(() => focused(page)).toBe('Say with Undo');
  });

  it('show an alert once, until it is dismissed', { tags: ['screens.controls.1'] }, async () => {
    const page = await kit('states');
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to delete date. Please try again.' });
    await page.getByRole('button', { name: 'Alert' }).click();
    await page.getByRole('button', { name: 'Alert' }).click();
    await alert.waitFor();
    expect(await alert.count()).toBe(1);
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => alert.count()).toBe(0);
  });
});

describe('a field', () => {
  it('is named only by its label, and described by its hint, error and counter', {
    tags: ['screens.controls.1'],
  }, async () => {
    const page = await kit('controls');
    const location = page.getByRole('textbox', { name: 'Location', exact: true }).first();
    const descriptions = await location.evaluate((box: HTMLInputElement) =>
      box
        .getAttribute('aria-describedby')
        ?.split(' ')
        .map((id) => document.getElementById(id)?.textContent),
    );
    expect(descriptions).toEqual(['optional', 'From our idea’s description', '210 / 200']);
    const end = page.getByLabel('End time', { exact: true });
    expect(await end.getAttribute('aria-invalid')).toBe('true');
    expect(await end.getAttribute('type')).toBe('datetime-local');
  });

  it('truncates nothing, and has text large enough to prevent zooming on focus', async () => {
    const page = await kit('controls');
    const boxes = page.locator('main :is(input:not([type="checkbox"]), select, textarea)');
    expect(await boxes.count()).toBeGreaterThan(10);
    const wrong = await boxes.evaluateAll((all) =>
      all.filter((box) => box.hasAttribute('maxlength') || Number.parseFloat(getComputedStyle(box).fontSize) < 16),
    );
    expect(wrong).toEqual([]);
  });
});

it('a busy button keeps the focus and ignores clicks', async () => {
  const page = await kit('controls');
  const busy = page.getByRole('button', { name: 'Planning...' }).first();
  await busy.focus();
  await expect.poll(() => focused(page)).toBe('Planning...');
  expect(await busy.getAttribute('aria-disabled')).toBe('true');
  expect(await busy.getAttribute('aria-busy')).toBe('true');
});

it('tabs are one tab stop, with arrow keys moving between them', async () => {
  const page = await kit('controls');
  await page.getByRole('tab', { name: 'All' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe('Cancelled2');
  await expect.poll(() => focused(page)).toBe('Cancelled2');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tabpanel', { name: 'Upcoming' }).getByText('upcoming').waitFor();
  await expect.poll(() => page.locator('[role="tab"][tabindex="0"]').count()).toBe(1);
});

describe('the navigation', () => {
  it('is a Menu button on a phone, closed by a link and by Escape', { tags: ['screens.navigation.2'] }, async () => {
    const page = await kit('states', { viewport: { width: 360, height: 780 } });
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    const links = page.getByRole('navigation').getByRole('link');
    await menu.waitFor();
    expect(await links.count()).toBe(0);
    await menu.click();
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('true');
    await expect
      .poll(() => links.allTextContents())
      .toEqual(['Dashboard', 'Date Ideas', 'Our Dates', 'Memories', 'Our Story', 'Search our story', 'Settings']);
    expect(await page.locator('[aria-current="page"]').first().textContent()).toBe('Our Dates');
    await page.keyboard.press('Escape');
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
    await menu.click();
    await links.getByText('Memories').click();
    await expect.poll(() => menu.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/3');
  });

  it('has a menu with Settings and Sign out on the desktop', async () => {
    const page = await kit('states');
    const user = page.getByRole('button', { name: 'Nora menu' });
    await user.waitFor();
    expect(await page.getByRole('button', { name: 'Menu', exact: true }).count()).toBe(0);
    await user.click();
    await expect.poll(() => user.getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('link', { name: 'Settings' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  });
});

describe('the hearts', () => {
  it('start with three, gain one every three seconds, and are eight at most', async () => {
    const page = await chromium.open(server.resolvedUrls?.local[0] ?? '');
    // The hearts must not gain one by themselves before they are counted.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto('/kit.html?show=states');
    const hearts = page.getByTestId('floating-hearts').locator(':scope > *');
    await hearts.nth(2).waitFor({ state: 'attached' });
    await letReactRender(page);
    expect(await hearts.count()).toBe(3);
    await page.clock.fastForward(3_000);
    await hearts.nth(3).waitFor({ state: 'attached' });
    await page.clock.runFor(30_000);
    expect(await hearts.count()).toBeLessThanOrEqual(8);
    expect(await page.getByTestId('floating-hearts').getAttribute('aria-hidden')).toBe('true');
  });

  it('are absent with reduced motion', { tags: ['screens.navigation.5'] }, async () => {
    const page = await kit('states');
    await page.getByTestId('floating-hearts').waitFor({ state: 'attached' });
    expect(await page.getByTestId('floating-hearts').locator(':scope > *').count()).toBe(0);
  });
});

it('a print reserves its space before its photograph loads, and shows a heart if it cannot load', async () => {
  const page = await kit('cards');
  const lost = page.getByRole('button', { name: 'View: Loud enough to say it first' });
  await lost.scrollIntoViewIfNeeded();
  await lost.locator('svg').waitFor();
  const box = await lost.boundingBox();
  // The mat has the same width on every side.
  const mat = 14;
  expect(((box?.width ?? 0) - mat) / ((box?.height ?? 0) - mat)).toBeCloseTo(480 / 780, 1);
});

it.each(['light', 'dark'] as const)('axe finds nothing, %s', async (colorScheme) => {
  for (const show of ['cards', 'controls', 'states']) {
    const page = await kit(show, { colorScheme, viewport: { width: 360, height: 780 } });
    const violations = await findViolations(page, ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']);
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  }
});
