import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../base/durations.ts';
import { hasFailedVerification, newestVerified, type RetainedBackup, surplusBackups } from './surplus-backups.ts';

const START = Date.parse('2026-03-01T02:00:00Z');

function backup(sequence: number, createdAt: number, isWhole: boolean | null = true): RetainedBackup {
  return { stamp: String(sequence), sequence, createdAt, isWhole };
}
const nights = (count: number) => Array.from({ length: count }, (_, night) => backup(night + 1, START + night * DAY));

describe('surplus backups', () => {
  it('are those before the newest and the seven before it', { tags: ['keeping.backup.5'] }, () => {
    expect(surplusBackups(nights(8), 'UTC')).toEqual([]);
    expect(surplusBackups(nights(10), 'UTC')).toEqual(['2', '1']);
    expect(surplusBackups([], 'UTC')).toEqual([]);
  });

  it("don't include the week's backups, however many were made on its last day", () => {
    const week = nights(8);
    const lastNight = START + 7 * DAY;
    const hourly = Array.from({ length: 12 }, (_, hour) => backup(20 + hour, lastNight + (hour + 1) * HOUR));
    const surplus = surplusBackups([...week, ...hourly], 'UTC');
    for (const { stamp } of week.slice(0, 7)) expect(surplus).not.toContain(stamp);
    // The last day keeps the newest and the seven before it.
    expect(surplus).toEqual(['23', '22', '21', '20', '8']);
  });

  it('are computed by calendar day in the zone', () => {
    const evening = backup(1, Date.parse('2026-03-01T22:00:00Z'));
    const night = backup(2, Date.parse('2026-03-02T01:00:00Z'));
    const next = Array.from({ length: 8 }, (_, index) => backup(3 + index, Date.parse('2026-03-03T03:00:00Z') + index));
    expect(surplusBackups([evening, night, ...next], 'UTC')).toEqual([]);
    // In Rome it is one day, and its last backup is kept.
    expect(surplusBackups([evening, backup(2, evening.createdAt + HOUR / 2), ...next], 'UTC')).toEqual(['1']);
    expect(surplusBackups([evening, night, ...next], 'Asia/Tokyo')).toEqual(['1']);
  });

  it('never include the newest verified backup', { tags: ['keeping.backup.5'] }, () => {
    const unverified = nights(20).map((one) => ({ ...one, isWhole: null }));
    const backups = [backup(0, START - DAY), ...unverified];
    expect(newestVerified(backups)?.stamp).toBe('0');
    expect(surplusBackups(backups, 'UTC')).not.toContain('0');
    expect(surplusBackups(unverified, 'UTC')).toHaveLength(12);
  });

  it("spare a day's verified backup rather than its last", () => {
    const day = [backup(1, START, true), backup(2, START + HOUR, null)];
    const later = Array.from({ length: 8 }, (_, index) => backup(3 + index, START + DAY + index));
    expect(surplusBackups([...day, ...later], 'UTC')).toEqual(['2']);
  });

  it('follow the order of publication if the clock was wrong', () => {
    const ahead = backup(1, Date.parse('2099-01-01T00:00:00Z'));
    const behind = nights(9).map((one) => ({ ...one, sequence: one.sequence + 1, stamp: `n${one.stamp}` }));
    expect(surplusBackups([ahead, ...behind], 'UTC')).toEqual(['n1', '1']);
    expect(newestVerified([ahead, ...behind])?.stamp).toBe('n9');
  });
});

it('nothing is thinned after a failed verification until one passes', { tags: ['keeping.backup.5'] }, () => {
  expect(hasFailedVerification([backup(1, START, true), backup(2, START + DAY, false)])).toBe(true);
  expect(hasFailedVerification([backup(1, START, false), backup(2, START + DAY, null)])).toBe(true);
  expect(hasFailedVerification([backup(1, START, false), backup(2, START + DAY, true)])).toBe(false);
  expect(hasFailedVerification([backup(1, START, null)])).toBe(false);
});
