import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { appVersion } from './src/app/server/version.ts';
import { chromiumOptions } from './tests/support/chromium.ts';
import { makeJpegCommand } from './tests/support/component-commands.ts';
import { serveComponents } from './tests/support/serve-components.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

/**
 * Seven projects. `pure` and `house` need nothing and are quick; `components` shows single components, and screens on the
 * real API, in Chromium; `server` goes through the real server on both engines; `cluster` goes through three nodes with a
 * replicated database and store; `journeys` drives a real Chromium; `operating` starts the reverse proxies and the service
 * of docs/operating.md. PostgreSQL and S3 start when a test first needs them.
 * No test is retried: a flaky test is a fault of the test or of the product.
 */
export default defineConfig({
  test: {
    passWithNoTests: true,
    // A tag is a clause of docs/product. The tests of the house check that it exists.
    strictTags: false,
    globalSetup: 'tests/support/global-setup.ts',
    // Every file passes in any order, and so do the tests of `pure`, `components` and `server`: another one each week, by a
    // seed that is printed at the start.
    sequence: { shuffle: { files: true }, seed: Math.floor(Date.now() / WEEK_MS) },
    // By default, vitest leaves one core idle: half of a small machine.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'pure',
          include: ['src/*.test.ts', 'src/*/*.test.ts', 'src/*/{web,worker}/**/*.test.ts'],
          // They leave nothing behind, so they need no process each: a third of the time.
          isolate: false,
          sequence: { shuffle: { tests: true } },
          testTimeout: 30_000,
        },
      },
      {
        define: { APP_VERSION: JSON.stringify(appVersion) },
        plugins: [serveComponents()],
        test: {
          name: 'components',
          include: ['src/*/web/**/*.test.tsx'],
          // The server of all of them shares its process with the test runner, on a disk that other tests keep busy.
          expect: { poll: { timeout: 30_000 } },
          sequence: { shuffle: { tests: true } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          setupFiles: 'tests/support/component-hooks.ts',
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              launchOptions: chromiumOptions(),
              contextOptions: { locale: 'en-GB', timezoneId: 'Europe/Rome', reducedMotion: 'reduce' },
            }),
            instances: [{ browser: 'chromium' }],
            screenshotFailures: false,
            commands: { makeJpeg: makeJpegCommand },
            // As in the journeys: a locator finds a part of a name or a text.
            // A failure shows the screen as HTML alone; see `tests/support/component-hooks.ts`.
            locators: { exact: false, errorFormat: 'html' },
            viewport: { width: 1280, height: 900 },
          },
        },
      },
      {
        test: {
          name: 'house',
          include: ['tests/house/**/*.test.ts', 'scripts/**/*.test.ts'],
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'server',
          // Their apps share no state. Loading the code again for each file takes a quarter of the CPU time.
          isolate: false,
          sequence: { shuffle: { tests: true } },
          globalSetup: 'tests/support/ensure-server-built.ts',
          expect: { poll: { timeout: 15_000 } },
          include: ['src/*/server/**/*.test.ts', 'tests/server/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'cluster',
          globalSetup: 'tests/support/ensure-server-built.ts',
          include: ['tests/cluster/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: 'operating',
          globalSetup: 'tests/support/ensure-server-built.ts',
          expect: { poll: { timeout: 15_000 } },
          include: ['tests/operating/**/*.test.ts'],
          // The slow uploads mostly wait: all at the same time, each for half an hour, ten times as fast.
          maxConcurrency: 8,
          testTimeout: 360_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'journeys',
          globalSetup: 'tests/support/ensure-server-built.ts',
          // A page is given the time that a locator has, on a busy machine too.
          expect: { poll: { timeout: 15_000 } },
          include: ['tests/{journeys,looks}/**/*.test.ts'],
          // Each file starts a browser and a server of its own; loading their code again takes an eighth of the CPU time.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // They wait more than they work: three at a time, each with a browser of its own.
          maxWorkers: 3,
        },
      },
    ],
  },
});
