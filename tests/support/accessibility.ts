import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findViolations, type Violation } from './axe.ts';
import { AXE_TAGS } from './axe-tags.ts';

/** Expects that axe finds no violation of its default rules on a page, once it shows its screen. */
export async function expectNoViolations(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const violations = await findViolations(page, null);
  expect(violations.map(describeViolation)).toEqual([]);
}

/**
 * Finds violations of WCAG 2.2 AA and of axe's best practices, and horizontal overflow. Returns one line per issue,
 * prefixed with `pageName`.
 */
export async function findPageIssues(page: Page, pageName: string): Promise<string[]> {
  const violations = await findViolations(page, AXE_TAGS);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const issues = violations.map(describeViolation);
  if (overflow > 0) issues.push(`wider than the screen by ${overflow}`);
  return issues.map((issue) => `${pageName}: ${issue}`);
}

function describeViolation({ id, nodes }: Violation): string {
  return `${id}: ${nodes[0]?.html}`;
}
