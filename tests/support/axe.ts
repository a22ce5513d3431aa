import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** axe's source, which a page runs before `runAxe`. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A rule that a page violates, and where. */
export interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly problem: string }[];
}

/**
 * In the page: finds violations of the rules with one of these tags, or of axe's default rules. It first ends what fades
 * in, whose contrast is too low. It may use nothing outside of itself.
 */
export async function runAxe(tags: readonly string[] | null): Promise<Violation[]> {
  const fading = document
    .getAnimations()
    .filter(({ timeline }) => timeline === document.timeline)
    .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
  for (const animation of fading) animation.finish();
  const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
  // Rules that pass need no details.
  const { violations } = await axe.run({ resultTypes: ['violations'], ...(tags && { runOnly: [...tags] }) });
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ html, any }) => ({ html, problem: any[0]?.message ?? '' })),
  }));
}

/**
 * Finds violations on a page. `@axe-core/playwright` would find the same, but takes four times as long, because it also
 * looks into frames of other origins. Throws if the page has any frame.
 */
export async function findViolations(page: Page, tags: readonly string[] | null): Promise<Violation[]> {
  if (page.frames().length > 1) throw new Error('axe would not see the frames of this page.');
  await page.evaluate(AXE);
  return page.evaluate(runAxe, tags);
}
