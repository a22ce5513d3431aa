import { expect, it } from 'vitest';
import { memoryRow } from '../../../tests/support/memory-row.ts';
import type { CoupleId } from '../../base/ids.ts';
import { toMemory } from './memory.ts';

it('has no capture time that ISO 8601 cannot express, as older versions stored it', () => {
  const row = memoryRow('019ab3c4-1111-7222-8333-444455556666' as CoupleId, '019ab3c4-1111-7222-8333-444455556667', 1);
  const takenAt = Date.parse('9999-12-31T23:59:59.999Z');
  expect(toMemory({ ...row, takenAt }).takenAt).toBe('9999-12-31T23:59:59.999Z');
  expect(toMemory({ ...row, takenAt: takenAt + 1 }).takenAt).toBeNull();
});
