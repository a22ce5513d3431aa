import { describe, expect, it } from 'vitest';
import { lawViolations } from '../../scripts/laws.ts';
import { parseSource, readSources } from '../../scripts/lib/parse-source.ts';
import { root } from '../../scripts/lib/root.ts';

/** What the laws say about these files, as `path:line message`. */
function judge(files: Readonly<Record<string, string>>): string[] {
  const sources = Object.entries(files).map(([path, text]) => parseSource(path, text));
  return lawViolations(sources).map(({ path, line, message }) => `${path}:${line} ${message}`);
}

it('every file of src keeps the laws', () => {
  const sources = readSources(root);
  expect(lawViolations(sources)).toEqual([]);
  expect(sources.map(({ path }) => path)).toContain('src/app/server/main.ts');
});

describe('the law of runtimes', { tags: ['running.repository.1'] }, () => {
  it('lets a pure file import only pure files', () => {
    expect(judge({ 'src/ideas/rules.ts': `import { countText } from '../base/clean-text.ts';` })).toEqual([]);
    expect(judge({ 'src/ideas/rules.ts': `import { store } from './server/store.ts';` })).toEqual([
      "src/ideas/rules.ts:1 pure may not use server ('src/ideas/server/store.ts')",
    ]);
    expect(judge({ 'src/ideas/rules.ts': `\nimport { card } from './web/idea-card.tsx';` })).toEqual([
      "src/ideas/rules.ts:2 pure may not use web ('src/ideas/web/idea-card.tsx')",
    ]);
    expect(judge({ 'src/ideas/rules.ts': `import { readFileSync } from 'node:fs';` })).toEqual([
      "src/ideas/rules.ts:1 pure may not use 'node:fs'",
    ]);
    expect(judge({ 'src/paths.ts': `export * from './app/web/routes.tsx';` })).toHaveLength(1);
  });

  it.each([
    ['const now = Date.now();', 'Date.now'],
    ['const now = new Date();', 'new Date()'],
    ['const now = Date();', 'Date()'],
    ['const luck = Math.random();', 'Math.random'],
    ['const today = Temporal.Now.plainDateISO();', 'Temporal.Now'],
    ['const id = crypto.randomUUID();', 'crypto'],
    ['const start = performance.now();', 'performance'],
    ['const debug = process.env.DEBUG;', 'process'],
    ['const later = () => setTimeout.name + globalThis.name;', 'globalThis'],
  ])('refuses %s in a pure file', (text, what) => {
    expect(judge({ 'src/dates/rules.ts': text })).toEqual([
      `src/dates/rules.ts:1 a pure file reads ${what}; take it as an argument instead`,
    ]);
    expect(judge({ 'src/dates/server/store.ts': text })).toEqual([]);
  });

  it('ignores comments, strings, a Date made from a number, and the time zone of the platform', () => {
    expect(
      judge({
        'src/dates/rules.ts': `// Date.now()\nexport const day = (ms: number) => [new Date(ms), 'Math.random'];`,
        'src/dates/zone.ts': 'export const zone = () => Temporal.Now.timeZoneId();',
      }),
    ).toEqual([]);
  });

  it('keeps server, web, and worker apart', () => {
    const web = (from: string) => judge({ 'src/ideas/web/page.tsx': from });
    expect(web(`import type { Row } from '../server/store.ts';`)).toHaveLength(1);
    expect(web(`const store = await import('../server/store.ts');`)).toHaveLength(1);
    expect(web(`type Row = import('../server/store.ts').Row;`)).toHaveLength(1);
    expect(web(`import { z } from 'zod';`)).toEqual(["src/ideas/web/page.tsx:1 web may not use 'zod'"]);
    expect(judge({ 'src/ideas/server/routes.ts': `import { api } from '../../base/web/api.ts';` })).toHaveLength(1);
    expect(judge({ 'src/ideas/server/routes.ts': `import { useState } from 'react';` })).toHaveLength(1);
    expect(judge({ 'src/app/worker/worker.ts': `import { api } from '../../base/web/api.ts';` })).toHaveLength(1);
  });

  it('lets a runtime import only the packages that the table gives it', () => {
    const server = (from: string) => judge({ 'src/ideas/server/routes.ts': from });
    expect(server(`import sharp from 'sharp';\nimport { join } from 'node:path';`)).toEqual([]);
    expect(server(`import { registerRoute } from 'workbox-routing';`)).toEqual([
      "src/ideas/server/routes.ts:1 server may not use 'workbox-routing'",
    ]);
    expect(server(`import left from 'left-pad';`)).toEqual([
      "src/ideas/server/routes.ts:1 'left-pad' is not in the package table of scripts/laws.ts",
    ]);
    expect(server(`import { S3Client } from '@aws-sdk/client-s3/dist';`)).toEqual([]);
  });

  it('lets the page import the types of a contract, but not zod', () => {
    const contract = {
      'src/ideas/contract.ts': `import { z } from 'zod';`,
      'src/ideas/more.ts': `export * from './contract.ts';`,
    };
    const page = (text: string) => judge({ ...contract, 'src/ideas/web/page.tsx': text });
    expect(page(`import type { Idea } from '../contract.ts';`)).toEqual([]);
    expect(page(`import { idea } from '../contract.ts';`)).toHaveLength(1);
    expect(page(`import { idea } from '../more.ts';`)).toHaveLength(1);
    // It leaves an empty import, which still loads the module.
    expect(page(`import { type Idea } from '../contract.ts';`)).toHaveLength(1);
  });
});

describe('the law of order', { tags: ['running.repository.1'] }, () => {
  it('lets imports point left only', () => {
    expect(judge({ 'src/memories/rules.ts': `import { canPlan } from '../dates/rules.ts';` })).toEqual([]);
    expect(judge({ 'src/dates/rules.ts': `import type { Memory } from '../memories/rules.ts';` })).toEqual([
      "src/dates/rules.ts:1 imports point left only (base ← kit ← auth ← ideas ← dates ← notes ← memories ← search ← uploads ← date-mode ← stats ← home ← reminders ← keeping ← app): 'src/memories/rules.ts' is to the right",
    ]);
    expect(
      judge({ 'src/base/server/calls/serve.ts': `import { routes } from '../../../app/server/slices.ts';` }),
    ).toHaveLength(1);
    expect(judge({ 'src/base/call.ts': `import { paths } from '../paths.ts';` })).toHaveLength(1);
    expect(judge({ 'src/auth/rules.ts': `import { paths } from '../paths.ts';` })).toEqual([]);
  });

  it('lets no imports lead back to their file, dynamic ones included', () => {
    const pair = (back: string) =>
      judge({ 'src/ideas/web/a.ts': `import { b } from './b.ts';`, 'src/ideas/web/b.ts': back });
    const circle =
      'src/ideas/web/b.ts:1 a circle of imports: src/ideas/web/a.ts → src/ideas/web/b.ts → src/ideas/web/a.ts';
    expect(pair(`import { a } from './a.ts';`)).toEqual([circle]);
    expect(pair(`const load = () => import('./a.ts');`)).toEqual([circle]);
    expect(pair(`import type { A } from './a.ts';`)).toEqual([]);
  });

  it('assigns every file to a slice, and lets no import leave src', () => {
    expect(judge({ 'src/shared/rules.ts': '' })).toHaveLength(1);
    expect(judge({ 'src/app/server/main.ts': `import { root } from '../../../scripts/lib/root.ts';` })).toHaveLength(1);
    expect(judge({ 'src/ideas/rules.ts': `import { countText } from '../base/text';` })).toHaveLength(1);
    expect(judge({ 'src/ideas/rules.ts': `import { example } from '../base/clean-text.test.ts';` })).toHaveLength(1);
  });

  it('lets tests import anything', () => {
    expect(judge({ 'src/ideas/server/routes.test.ts': `import '../../app/server/app.ts'; Date.now();` })).toEqual([]);
  });
});
