import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../lib/tools.ts';
import { needOf } from './model.ts';
import { printNeeds } from './print-need.ts';

describe('the model of scale', () => {
  it('prints the table that docs/scale.md shows', { tags: ['running.load.4'] }, () => {
    expect(readFileSync(join(root, 'docs/scale.md'), 'utf8')).toContain(printNeeds());
  });

  it('needs ten times as much for ten times as many couples, and two nodes for one couple', {
    tags: ['running.load.4'],
  }, () => {
    const [few, many] = [needOf(1_000), needOf(10_000)];
    for (const key of ['requestsPerSecond', 'cores', 'statementsPerSecond', 'databaseBytes', 'storeBytes'] as const) {
      expect(many[key]).toBeCloseTo(10 * few[key], 6);
    }
    expect(needOf(1)).toMatchObject({ nodes: 2, primaries: 1 });
  });
});
