import axe from 'axe-core';
import { cdp, page } from 'vitest/browser';
import { AXE_TAGS } from './axe-tags.ts';

/** Sets whether the device asks for reduced motion, which it does in all other tests. */
export async function setReducedMotion(is: boolean): Promise<void> {
  await emulateMedia('light', is ? 'reduce' : 'no-preference');
}

function emulateMedia(scheme: 'light' | 'dark', motion: 'reduce' | 'no-preference'): Promise<unknown> {
  return cdp().send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: motion },
    ],
  });
}

/** A phone in the dark, a tablet and a desktop. Between them they show every layout. */
const LOOKS = [
  { width: 360, scheme: 'dark' },
  { width: 768, scheme: null },
  { width: 1280, scheme: 'light' },
] as const;

/**
 * Finds what axe does on the screen that is shown, as a phone in the dark and as a light desktop, and horizontal overflow
 * there and on a tablet. Returns one line for each issue. It leaves the screen light and 1280 pixels wide.
 */
export async function findIssuesAtEverySize(name: string): Promise<string[]> {
  const found: string[] = [];
  for (const { width, scheme } of LOOKS) {
    await page.viewport(width, 800);
    await emulateMedia(scheme ?? 'light', 'reduce');
    // The new layout takes two frames.
    for (const _ of [1, 2]) await new Promise((done) => requestAnimationFrame(done));
    const overflow = document.documentElement.scrollWidth - innerWidth;
    if (overflow > 0) found.push(`${name} at ${width}: wider than the screen by ${overflow}`);
    if (scheme === null) continue;
    found.push(...(await findIssues(`${name} at ${width}`)));
  }
  return found;
}

/** Finds what axe does on the screen that is shown. Returns one line for each issue. */
export async function findIssues(name: string): Promise<string[]> {
  const { violations } = await axe.run(document.body, {
    resultTypes: ['violations'],
    runOnly: [...AXE_TAGS],
  });
  return violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html}`);
}
