import { expect, it } from 'vitest';
import { HeardChanges } from './live-watch.ts';

const change = { id: 'a-date', sentAt: 1_000, acknowledgedAt: 1_200 };

it('measures from the acknowledgment to the first event after the request', () => {
  const heard = new HeardChanges();
  heard.hear('a-date', 900);
  heard.hear('another', 1_300);
  expect(heard.delayOf(change)).toBeNull();
  heard.hear('a-date', 1_500);
  heard.hear('a-date', 9_000);
  expect(heard.delayOf(change)).toBe(300);
});

it('counts an event before the acknowledgment as immediate', () => {
  const heard = new HeardChanges();
  heard.hear('a-date', 1_100);
  expect(heard.delayOf(change)).toBe(0);
});

it('excuses a change that the page reads again, but not one before which it did', () => {
  const heard = new HeardChanges();
  heard.readAgain(900);
  expect(heard.delayOf(change)).toBeNull();
  heard.readAgain(8_000);
  expect(heard.delayOf(change)).toBe(0);
});
