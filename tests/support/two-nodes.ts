import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import type { Engine } from './engines.ts';

/** Two nodes on the same data, for the tests of a `describe`, in which it is to be called once. */
export function useTwoNodes(engine: Engine): { readonly app: TestApp; readonly other: TestApp } {
  let app: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    app = await startTestApp(engine);
    // A second process would look the same to the first: another connection to the same database.
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
