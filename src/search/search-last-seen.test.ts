import { expect, it } from 'vitest';
import type { DateIdea } from '../ideas/contract.ts';
import { searchLastSeen } from './search-last-seen.ts';

const idea = (id: string) =>
  ({ id, title: `Thai ${id}`, description: null, category: 'Food', hearts: {} }) as unknown as DateIdea;
const found = (...answers: Parameters<typeof searchLastSeen>[0]) =>
  searchLastSeen(answers, 'thai', 20).ideas.map(({ id }) => id);

it('what was last seen does not hold an idea that a later complete list lacks', { tags: ['search.10'] }, () => {
  const one = { key: ['ideas', 'one', 'a'], data: { entity: idea('a') } };
  const every = { key: ['ideas', 'every'], data: [idea('b')] };
  const active = { key: ['ideas', 'active'], data: [idea('b')] };
  expect(found(one)).toEqual(['a']);
  expect(found(one, every)).toEqual(['b']);
  expect(found(one, active)).toEqual(['a', 'b']);
  expect(found(every, one)).toEqual(['a', 'b']);
});
