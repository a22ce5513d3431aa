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
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (overflow > 0) found.push(`${pageName}: wider than the screen by ${overflow}`);
  return found;
}

function describeViolation({ id, nodes }: Violation): string {
  return `${id}: ${nodes[0]?.html}`;
}
