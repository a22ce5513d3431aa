import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/lib/tools.ts';
import { citusCommands } from '../support/sharding.ts';

it('docs/scale.md has exactly the commands that place each table', { tags: ['durability.nodes.14'] }, () => {
  const text = readFileSync(join(root, 'docs/scale.md'), 'utf8');
  expect(text.match(/^select create_.*;$/gm)).toEqual(citusCommands());
});
