import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ACCESSIBLE, findViolations, type Violation } from './axe.ts';

/** Expects that axe finds no violation of its default rules on a page. */
export async function expectNoViolations(page: Page): Promise<void> {
  const violations = await findViolations(page, null);
  expect(violations.map(describeViolation)).toEqual([]);
}

/**
 * Finds violations of WCAG 2.2 AA and of axe's best practices, and horizontal overflow. Returns one line per issue,
 * prefixed with `pageName`.
 */
export async function findAccessibilityIssues(page: Page, pageName: string): Promise<string[]> {
  const violations = await findViolations(page, ACCESSIBLE);
  const found = violations.map((violation) => `${pageName}: ${describeViolation(violation)}`);
  return [...found, ...(await findOverflow(page, pageName))];
}

/** A phone in the dark, a tablet and a desktop: what looks different does so between these. */
const LOOKS = [
  { width: 360, colorScheme: 'dark' },
  { width: 768, colorScheme: null },
  { width: 1280, colorScheme: 'light' },
] as const;

/**
 * Finds what `findAccessibilityIssues` does on an open page, as a phone in the dark and as a light desktop, and overflow
 * on a tablet. The page need not load again: its window and its scheme change.
 */
export async function findIssuesAtEverySize(page: Page, pageName: string): Promise<string[]> {
  const found: string[] = [];
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    // The layout of a new size is there with the next frame but one.
    await page.evaluate(async () => {
      for (const _ of [1, 2]) await new Promise((done) => requestAnimationFrame(done));
    });
    const name = `${pageName} at ${width}`;
    found.push(...(colorScheme ? await findAccessibilityIssues(page, name) : await findOverflow(page, name)));
  }
  return found;
}

/** Finds horizontal overflow: one line, or none. */
async function findOverflow(page: Page, pageName: string): Promise<string[]> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return overflow > 0 ? [`${pageName}: wider than the screen by ${overflow}`] : [];
}

function describeViolation({ id, nodes }: Violation): string {
  return `${id}: ${nodes[0]?.html}`;
}
