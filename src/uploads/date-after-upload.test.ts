import { describe, expect, it } from 'vitest';
import { dateAfterUpload, hasSeveralDates } from './date-after-upload.ts';
import { emptyQueue, reduceUpload, type UploadEvent, type UploadQueue } from './upload-queue.ts';

const after = (queue: UploadQueue, ...events: UploadEvent[]) => events.reduce(reduceUpload, queue);
const items = (...ids: string[]) => ids.map((id) => ({ id, name: `${id}.jpg`, size: 1000 }));
const sorted = (dates: Readonly<Record<string, string>>) =>
  after(emptyQueue, { type: 'added', items: items(...Object.keys(dates)) }, { type: 'sorted', dates });

describe('the date to show after an upload', () => {
  it('is the shared one, or the one that all photos were sorted into', () => {
    expect(dateAfterUpload({ ...emptyQueue, dateId: 'arezzo' })).toBe('arezzo');
    expect(dateAfterUpload(sorted({ a: 'beach', b: 'beach' }))).toBe('beach');
  });

  it('is none if photos were sorted into several, and the one of most photos if one was chosen for all', () => {
    const several = sorted({ a: 'arezzo', b: 'beach', c: 'beach' });
    expect(hasSeveralDates(several)).toBe(true);
    expect(dateAfterUpload(several)).toBeNull();
    const shared = after(several, { type: 'dated', dateId: 'arezzo' });
    expect(hasSeveralDates(shared)).toBe(false);
    expect(dateAfterUpload(shared)).toBe('beach');
  });

  it('is the one the photos were sent to, whatever is selected afterwards', () => {
    const sent = after(
      emptyQueue,
      { type: 'added', items: items('a') },
      { type: 'dated', dateId: 'arezzo' },
      { type: 'started' },
      { type: 'sending', id: 'a', newKey: 'key' },
      { type: 'uploaded', id: 'a' },
      { type: 'dated', dateId: 'beach' },
    );
    expect(dateAfterUpload(sent)).toBe('arezzo');
  });
});
