import { expect, it } from 'vitest';
import { createStore } from './store.ts';

it('tells its listeners of each change, and of nothing else', () => {
  const store = createStore(1);
  let told = 0;
  const stop = store.subscribe(() => (told += 1));
  store.set(2);
  store.set(2);
  expect([store.get(), told]).toEqual([2, 1]);
  stop();
  store.set(3);
  expect([store.get(), told]).toEqual([3, 1]);
});
