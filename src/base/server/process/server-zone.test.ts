import { afterEach, expect, it } from 'vitest';
import { serverZone } from './server-zone.ts';

const before = process.env.TZ;
afterEach(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

it.each([
  ['Europe/Rome', 'Europe/Rome'],
  [':/etc/localtime', 'UTC'],
  ['Europe/Nowhere', 'UTC'],
  ['', 'UTC'],
])('the zone of a server with TZ=%s is %s', { tags: ['keeping.backup.11'] }, (given, zone) => {
  process.env.TZ = given;
  expect(serverZone()).toBe(zone);
});
