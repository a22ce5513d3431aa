import { describe, expect, it } from 'vitest';
import { correctionBody, correctionErrors, recordFormOf } from './correction-form.ts';
import { NO_TEXTS } from './optional-texts.ts';

const ZONE = 'Europe/Rome';
const NOW = Date.parse('2026-11-26T12:00:00Z');

describe('a correction', () => {
  const date = {
    actualStartTime: '2026-10-25T00:30:40.123Z',
    actualEndTime: '2026-10-25T01:30:00.000Z',
    ...NO_TEXTS,
    location: 'Arezzo',
  };

  it('keeps the exact instant of a time that is not changed, also in the repeated hour', {
    tags: ['dates.record.1'],
  }, () => {
    // Both are 02:30 in Rome, the night on which the clocks go back.
    const opened = recordFormOf(date, ZONE);
    expect(opened.actualStartTime).toBe(opened.actualEndTime);
    expect(correctionErrors(opened, date, NOW, ZONE)).toEqual({});
    const { actualStartTime, actualEndTime } = date;
    expect(correctionBody({ ...opened, location: '' }, date, ZONE)).toEqual({ actualStartTime, actualEndTime });
  });
});
