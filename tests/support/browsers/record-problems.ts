/** What `recordProblems` adds to the page's global object. */
export interface RecordedProblems {
  /** Problems since they were last read, one line each. Those of resources begin with 'resource'. */
  recordedProblems?: string[];
}

/**
 * Records what a browser's console would show as an error. Runs in the page before its own scripts, so it may not use
 * anything outside of itself. A network error of `fetch` is reported by nobody but the page.
 */
export function recordProblems(): void {
  const key = 'recordedProblems';
  const page = globalThis as unknown as RecordedProblems;
  if (page.recordedProblems) return;
  const problems = JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[];
  page.recordedProblems = problems;
  sessionStorage.removeItem(key);
  let isLeaving = false;
  const add = (problem: string) => {
    if (!isLeaving) problems.push(problem);
  };
  const describe = (value: unknown) =>
    value instanceof Error ? `${value.name}: ${value.message}\n${value.stack}` : String(value);
  addEventListener(
    'error',
    ({ target, error: thrown, message }) => {
      // Only the import itself fails a page. Firefox reports preloads that the driver's navigation cancels.
      // Not by `instanceof`: the driver may run this script in a realm of its own.
      const { localName, rel, src, href } = target as Partial<HTMLLinkElement & HTMLScriptElement>;
      if (localName === 'link' && rel?.endsWith('preload')) return;
      add(localName ? `resource ${src ?? href} of <${localName}> failed` : describe(thrown ?? message));
    },
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) => add(`unhandled: ${describe(reason)}`));
  addEventListener('securitypolicyviolation', (event) =>
    add(`Content Security Policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`),
  );
  const { error } = console;
  console.error = (...values) => {
    add(`console: ${values.map(describe).join(' ')}`);
    error.apply(console, values);
  };
  // Leaving a page cancels what it loads, which Firefox still reports to the page. It may also stay.
  addEventListener('beforeunload', () => {
    isLeaving = true;
    setTimeout(() => {
      isLeaving = false;
    }, 30_000);
  });
  addEventListener('pagehide', () => {
    if (problems.length > 0) sessionStorage.setItem(key, JSON.stringify(problems.splice(0)));
  });
}
