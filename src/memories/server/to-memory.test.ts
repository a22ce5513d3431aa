import { expect, it } from 'vitest';
import type { CoupleId } from '../../base/ids.ts';
import type { MemoryRow } from './store.ts';
import { toMemory } from './to-memory.ts';

const row: MemoryRow = {
  coupleId: '019ab3c4-1111-7222-8333-444455556666' as CoupleId,
  id: '019ab3c4-1111-7222-8333-444455556667',
  dateId: '019ab3c4-1111-7222-8333-444455556668',
  fileName: '0123456789abcdef0123456789abcdef.jpg',
  originalFileName: 'photo.jpg',
  fileExtension: '.jpg',
  fileSizeBytes: 1,
  sha256: '',
  width: 1,
  height: 1,
  thumbHash: '',
  caption: null,
  searchText: null,
  uploadedAt: 1,
  takenAt: null,
  correctedTakenAt: null,
  updatedAt: null,
  version: 1,
  happenedAt: 1,
  deletedAt: null,
  deletedBy: null,
  dateDeletedAt: null,
};

it('a memory has no capture time that ISO 8601 cannot express, as older versions stored it', () => {
  const takenAt = Date.parse('9999-12-31T23:59:59.999Z');
  expect(toMemory({ ...row, takenAt }).takenAt).toBe('9999-12-31T23:59:59.999Z');
  expect(toMemory({ ...row, takenAt: takenAt + 1 }).takenAt).toBeNull();
});
