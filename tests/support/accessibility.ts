import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What stands in anybody's way on a page, a line each: violations of WCAG 2.2 AA and of axe's best practices, and a
 * page that is wider than its screen. `what` names the page in them.
 */
export async function findAccessibilityIssues(page: Page, what: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${what}: ${id}: ${nodes[0]?.html}`);
  const spill = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (spill > 0) found.push(`${what}: wider than the screen by ${spill}`);
  return found;
}
