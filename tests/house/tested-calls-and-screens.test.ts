import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { routes } from '../../src/app/web/routing/routes.ts';

// What the compiler doesn't see of docs/how-to/add-a-call.md and add-a-screen.md.

const read = (patterns: string[]) =>
  globSync(patterns, { cwd: root })
    .filter((path) => path !== 'tests/support/call-matrix.ts')
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');

const tests = read(['{src,tests}/**/*.test.{ts,tsx}', 'tests/support/**/*.ts']);

describe('a test', () => {
  it('makes each call', () => {
    const contracts = read(['src/*/contract.ts']);
    const calls = [...contracts.matchAll(/^ {2}'([A-Z]+ \/api\/[^']*)': \{/gm)].map(([, name]) => name ?? '');
    expect(calls.length).toBeGreaterThan(90);
    // Its parts are sent by `sendPart` in tests/support/tus.ts.
    const untested = calls.filter((name) => !tests.includes(name) && name !== 'PATCH /api/Memories/tus/{id}');
    expect(untested).toEqual([]);
  });

  it('opens each screen', () => {
    const literals = [...tests.matchAll(/['"`](\/[^'"`\s?#]*)/g)].map(([, path]) =>
      path?.replace(/\$\{[^}]*\}?/g, 'x'),
    );
    // The address of a new password comes from a call.
    const opened = ['/auth/recover/x', ...new Set(literals)];
    const unopened = routes.filter(({ pattern }) => !opened.some((path) => path && pattern.test(path)));
    expect(unopened.map(({ title }) => title)).toEqual([]);
  });
});
