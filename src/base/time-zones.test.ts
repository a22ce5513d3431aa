import { expect, it } from 'vitest';
import { parseTimeZone } from './time-zones.ts';

it.each([
  ['europe/rome', 'Europe/Rome'],
  ['UTC', 'UTC'],
  ['+01:00', null],
  ['Etc/Unknown', null],
  ['SystemV/EST5', null],
  ['US/Pacific-New', 'America/Los_Angeles'],
  ['Mars/Olympus', null],
  ['', null],
])('the time zone %j is %j', { tags: ['wire.values.12'] }, (text, zone) => expect(parseTimeZone(text)).toBe(zone));
