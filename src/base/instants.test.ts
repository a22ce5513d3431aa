import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, formatInstant, parseInstant } from './instants.ts';

const at = (iso: string) => Date.parse(iso);

describe('instants on the wire', () => {
  it.each([
    ['2026-11-20T19:00:00.000Z', '2026-11-20T19:00:00.000Z'],
    ['2026-11-20T20:00+01:00', '2026-11-20T19:00:00.000Z'],
    ['2026-11-20T19:00:00.123456Z', '2026-11-20T19:00:00.123Z'],
    ['2024-02-29T00:00:00-12:00', '2024-02-29T12:00:00.000Z'],
  ])('%s is %s', (text, utc) => expect(formatInstant(parseInstant(text) as number)).toBe(utc));

  it.each([
    '2026-02-30T19:00:00Z',
    '2025-02-29T19:00:00Z',
    '2026-11-20T25:00:00Z',
    '2026-11-20T19:00:00',
    '2026-11-20',
    'tomorrow',
    '',
    '1763665200000',
    '2026-13-01T00:00:00Z',
    '2026-11-20T19:00:00Z[Europe/Rome]',
    '2026-12-31T23:59:60Z',
    '2026-12-31T23:59:60.5+01:00',
  ])('%j is rejected', { tags: ['wire.values.6'] }, (text) => expect(parseInstant(text)).toBeNull());

  it('survive a round trip', () => {
    fc.assert(
      fc.property(fc.integer({ min: at('2000-01-01T00:00Z'), max: at('2100-01-01T00:00Z') }), (ms) => {
        expect(parseInstant(formatInstant(ms))).toBe(ms);
      }),
    );
  });
});

describe('days in a zone', () => {
  it('begin and end at the local midnight', () => {
    expect(dayOf(at('2026-11-21T10:30:00Z'), 'Pacific/Kiritimati')).toBe('2026-11-22');
    expect(dayOf(at('2026-11-21T10:30:00Z'), 'Pacific/Pago_Pago')).toBe('2026-11-20');
    expect(dayOf(at('2026-12-31T23:30:00Z'), 'Europe/Rome')).toBe('2027-01-01');
  });
});
