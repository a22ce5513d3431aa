import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from './instants.ts';
import { fromLocalInput, toLocalInput } from './local-input.ts';

describe('the date fields', () => {
  it.each(['2026-12-31T23:59:60', '2026-02-30T19:00', '2026-11-20T24:01'])('reject the impossible time %s', (text) => {
    expect(fromLocalInput(text, 'Europe/Rome')).toBeNull();
  });

  it('show local time and read it back, in every zone and across clock changes', () => {
    const zones = ['UTC', 'Europe/Rome', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe'];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 2_000_000 }), (zone, minutes) => {
        const ms = Date.parse('2024-01-01T00:00Z') + minutes * 60_000;
        const text = toLocalInput(ms, zone);
        // For an hour that occurs twice, the first one counts: the text is the same.
        expect(toLocalInput(fromLocalInput(text, zone) as number, zone)).toBe(text);
      }),
    );
  });

  it('move a time that a clock change skips forward', () => {
    expect(formatInstant(fromLocalInput('2026-03-29T02:30', 'Europe/Rome') as number)).toBe('2026-03-29T01:30:00.000Z');
  });

  it.each(['', '2026-02-30T10:00', '2026-11-21', 'soon'])('reject %j', (text) => {
    expect(fromLocalInput(text, 'UTC')).toBeNull();
  });
});
