import { afterAll, beforeAll } from 'vitest';
import type { Engine } from './engines.ts';
import { startTestApp, type TestApp } from './test-app.ts';

/** Starts two nodes on the same data for the tests of a `describe`. Call it once there. */
export function useTwoNodes(engine: Engine): { readonly app: TestApp; readonly other: TestApp } {
  let app: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    app = await startTestApp(engine);
    // In the same process: for the first node, only the second database connection matters.
    other = await startTestApp(engine, { storage: app.storage });
  });
  afterAll(async () => {
    await other.close();
    await app.close();
  });
  return {
    get app() {
      return app;
    },
    get other() {
      return other;
    },
  };
}
