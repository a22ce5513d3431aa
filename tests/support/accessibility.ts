import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * Finds violations of WCAG 2.2 AA and of axe's best practices, and horizontal overflow. Returns one line per issue,
 * prefixed with `pageName`.
 */
export async function findAccessibilityIssues(page: Page, pageName: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${pageName}: ${id}: ${nodes[0]?.html}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (overflow > 0) found.push(`${pageName}: wider than the screen by ${overflow}`);
  return found;
}
