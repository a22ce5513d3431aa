import type { Reporter, TestModule } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** How often the test was run again after a failure. */
    retries?: number;
  }
}

/** A reporter of vitest that adds to each test how often it was retried, which the JSON report leaves out. */
export default class CountRetries implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    for (const test of module.children.allTests()) test.meta().retries = test.diagnostic()?.retryCount ?? 0;
  }
}
