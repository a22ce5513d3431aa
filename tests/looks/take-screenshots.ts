/*
 * Takes screenshots of each page of the kit, at three widths in both schemes, and runs axe on each.
 * `node tests/looks/take-screenshots.ts http://127.0.0.1:4100 /tmp/pictures [show,show] [width,width]`, with `vite preview` running.
 */
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { findViolations } from '../support/axe.ts';
import { AXE_TAGS } from '../support/axe-tags.ts';

const [at = 'http://127.0.0.1:4100', out = 'pictures', shows = 'cards,controls,states,spread,side', widths] =
  process.argv.slice(2);
mkdirSync(out, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
let wrong = 0;
for (const scheme of ['light', 'dark'] as const) {
  for (const width of (widths ?? '360,768,1280').split(',').map(Number)) {
    const context = await browser.newContext({
      viewport: { width, height: width < 500 ? 780 : 900 },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('404'))
        console.log(`${scheme} ${width}: ${message.text()}`);
    });
    for (const show of shows.split(',')) {
      await page.goto(`${at}/kit.html?show=${show}`);
      await page.evaluate(() => document.fonts.ready);
      // Wait until every photograph is painted or has failed to load.
      await page.evaluate(async () => {
        for (const image of document.images) image.loading = 'eager';
        await Promise.allSettled(Array.from(document.images, (image) => image.decode()));
      });
      await page.screenshot({ path: `${out}/${show}-${width}-${scheme}.png`, fullPage: true });
      const spill = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (spill > 0) console.log(`${show} ${scheme} ${width}: wider than the screen by ${spill}px`);
      const violations = await findViolations(page, AXE_TAGS);
      for (const { id, help, nodes } of violations) {
        wrong += 1;
        console.log(
          `${show} ${scheme} ${width}: ${id}: ${help}\n${nodes
            .slice(0, 4)
            .map((node) => `    ${node.html.slice(0, 200)} ${node.problem}`)
            .join('\n')}`,
        );
      }
    }
    await context.close();
  }
}
await browser.close();
console.log(wrong ? `${wrong} violations` : 'axe finds nothing');
