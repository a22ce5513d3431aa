import { expect, it } from 'vitest';
import { HeardChanges } from './live-watch.ts';

const change = { id: 'a', sentAt: 1_000 };

it('a page has received a change when it hears a later event about it, or reads everything again', () => {
  const heard = new HeardChanges();
  heard.hear('b', 1_100);
  heard.hear('a', 900);
  heard.readAgain(900);
  expect(heard.hasReceived(change)).toBe(false);
  heard.hear('a', 1_200);
  expect(heard.hasReceived(change)).toBe(true);
  const reconnected = new HeardChanges();
  reconnected.readAgain(1_200);
  expect(reconnected.hasReceived(change)).toBe(true);
});
