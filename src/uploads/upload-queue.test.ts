import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canSave,
  canStart,
  emptyQueue,
  isDone,
  nextToSend,
  reduceUpload,
  summarize,
  type UploadEvent,
  type UploadQueue,
} from './upload-queue.ts';

const after = (queue: UploadQueue, ...events: UploadEvent[]) => events.reduce(reduceUpload, queue);
const items = (...ids: string[]) => ids.map((id) => ({ id, name: `${id}.jpg`, size: 1000 }));
const chosen = (...ids: string[]) =>
  after(emptyQueue, { type: 'added', items: items(...ids) }, { type: 'dated', dateId: 'arezzo' });
const sending = (id: string, newKey = `key of ${id}`): UploadEvent => ({ type: 'sending', id, newKey });

describe('a selection of files', () => {
  it('can be saved only with files and a date', { tags: ['uploads.sending.1'] }, () => {
    expect(canSave(emptyQueue)).toBe(false);
    expect(canSave(after(emptyQueue, { type: 'added', items: items('a') }))).toBe(false);
    expect(canSave(after(emptyQueue, { type: 'dated', dateId: 'arezzo' }))).toBe(false);
    expect(canSave(chosen('a'))).toBe(true);
  });

  it('can be saved without a shared date if each file has its own', { tags: ['uploads.sending.1'] }, () => {
    const sorted = after(
      emptyQueue,
      { type: 'added', items: items('a', 'b') },
      { type: 'sorted', dates: { a: 'arezzo', b: 'beach' } },
    );
    expect(canSave(sorted)).toBe(true);
    expect(canSave(after(sorted, { type: 'sorted', dates: { b: null } }))).toBe(false);
  });

  it('cannot be sent while a caption is too long', () => {
    const long = after(chosen('a', 'b'), { type: 'captioned', id: 'b', caption: 'x'.repeat(501) });
    expect(canSave(long)).toBe(true);
    expect(canStart(long)).toBe(false);
    expect(after(long, { type: 'started' }).isRunning).toBe(false);
  });

  it('keeps the date when all files are removed', () => {
    expect(after(chosen('a'), { type: 'cleared' })).toEqual({ ...emptyQueue, dateId: 'arezzo' });
  });
});

describe('a run', () => {
  it('sends the files one at a time, in order', { tags: ['uploads.sending.2'] }, () => {
    let queue = after(chosen('a', 'b'), { type: 'started' });
    expect(nextToSend(queue)?.id).toBe('a');
    queue = after(queue, sending('a'), { type: 'progressed', id: 'a', share: 0.5 });
    expect(summarize(queue)).toEqual({ total: 2, uploaded: 0, failed: 0, percent: 22 });
    queue = after(queue, { type: 'progressed', id: 'a', share: 1 });
    expect(queue.items[0]?.progress).toBe(90);
    queue = after(queue, { type: 'uploaded', id: 'a' });
    expect(summarize(queue)).toMatchObject({ uploaded: 1, percent: 50 });
    expect(nextToSend(queue)?.id).toBe('b');
    queue = after(queue, sending('b'), { type: 'progressed', id: 'b', share: 1 });
    expect(summarize(queue).percent).toBe(95);
    queue = after(queue, { type: 'uploaded', id: 'b' });
    expect(summarize(queue)).toMatchObject({ uploaded: 2, percent: 100 });
    expect(queue).toMatchObject({ isRunning: false, ended: 'finished' });
    expect(isDone(queue)).toBe(true);
  });

  it('continues after a refused file, and retries it on request', { tags: ['uploads.sending.2'] }, () => {
    let queue = after(chosen('a', 'b'), { type: 'started' }, sending('a'));
    queue = after(queue, { type: 'refused', id: 'a', reason: 'It is broken.' }, sending('b'));
    queue = after(queue, { type: 'uploaded', id: 'b' });
    expect(queue.items[0]).toMatchObject({ state: 'failed', reason: 'It is broken.' });
    expect(summarize(queue)).toEqual({ total: 2, uploaded: 1, failed: 1, percent: 50 });
    expect(isDone(queue)).toBe(false);
    queue = after(queue, { type: 'started' });
    expect(nextToSend(queue)?.id).toBe('a');
    queue = after(queue, sending('a'), { type: 'uploaded', id: 'a' });
    expect(isDone(queue)).toBe(true);
    expect(summarize(queue).percent).toBe(100);
  });

  it('is done when the failed files are removed', () => {
    const queue = after(
      chosen('a', 'b'),
      { type: 'started' },
      sending('a'),
      { type: 'uploaded', id: 'a' },
      sending('b'),
      { type: 'refused', id: 'b', reason: null },
      { type: 'removed', id: 'b' },
    );
    expect(isDone(queue)).toBe(true);
  });

  it('locks the selection while it runs', () => {
    const running = after(chosen('a'), { type: 'started' });
    const tried = after(
      running,
      { type: 'removed', id: 'a' },
      { type: 'cleared' },
      { type: 'captioned', id: 'a', caption: 'no' },
      { type: 'sorted', dates: { a: 'beach' } },
      { type: 'dated', dateId: null },
    );
    expect(tried).toEqual(running);
  });

  it('accepts new files, which wait for the next run with their captions', { tags: ['uploads.sending.10'] }, () => {
    const running = after(chosen('a'), { type: 'started' }, sending('a'), { type: 'added', items: items('b', 'c') });
    expect(summarize(running)).toMatchObject({ total: 1 });
    const typed = after(
      running,
      { type: 'captioned', id: 'b', caption: 'Rain' },
      { type: 'sorted', dates: { b: 'beach' } },
      { type: 'removed', id: 'c' },
    );
    expect(typed.items.map(({ id, caption, ownDateId }) => [id, caption, ownDateId])).toEqual([
      ['a', '', null],
      ['b', 'Rain', 'beach'],
    ]);
    const over = after(typed, { type: 'uploaded', id: 'a' });
    expect(over.isRunning).toBe(false);
    expect(isDone(over)).toBe(false);
    const next = after(over, { type: 'started' });
    expect(nextToSend(next)?.id).toBe('b');
    expect(isDone(after(next, sending('b'), { type: 'uploaded', id: 'b' }))).toBe(true);
    expect(summarize(next).total).toBe(2);
  });

  it('never holds more than a hundred', () => {
    const many = (from: number, count: number) => items(...Array.from({ length: count }, (_, n) => `${from + n}`));
    const full = after(chosen(), { type: 'added', items: many(0, 60) }, { type: 'added', items: many(60, 60) });
    expect(full.items).toHaveLength(100);
    expect(after(full, { type: 'started' }, { type: 'added', items: many(200, 1) }).items).toHaveLength(100);
  });

  it('keeps uploaded files when stopped, and leaves the rest selected', () => {
    const queue = after(
      chosen('a', 'b'),
      { type: 'started' },
      sending('a'),
      { type: 'uploaded', id: 'a' },
      sending('b'),
      { type: 'progressed', id: 'b', share: 0.4 },
      { type: 'stopped' },
    );
    expect(queue.isRunning).toBe(false);
    expect(queue.items.map(({ state }) => state)).toEqual(['uploaded', 'selected']);
    expect(after(queue, { type: 'uploaded', id: 'b' })).toEqual(queue);
  });

  it('ends when it gives up the connection, and keeps the rest', () => {
    const queue = after(chosen('a', 'b'), { type: 'started' }, sending('a'), { type: 'gaveUp', id: 'a' });
    expect(queue).toMatchObject({ isRunning: false, ended: 'unreachable' });
    expect(queue.items.map(({ state }) => state)).toEqual(['failed', 'selected']);
    expect(nextToSend(after(queue, { type: 'started' }))?.id).toBe('a');
  });
});

describe('a retry', () => {
  const broken = after(chosen('a'), { type: 'started' }, sending('a', 'first'), {
    type: 'paused',
    because: 'connection',
  });

  it('reuses the key for the same content', () => {
    expect(broken.pause).toBe('connection');
    expect(nextToSend(broken)?.id).toBe('a');
    expect(after(broken, sending('a', 'second')).items[0]?.attempt?.key).toBe('first');
  });

  it('takes a new key if the caption or the date changed', () => {
    const stopped = after(broken, { type: 'stopped' });
    const renamed = after(stopped, { type: 'captioned', id: 'a', caption: 'Rain' });
    expect(after(renamed, { type: 'started' }, sending('a', 'second')).items[0]?.attempt).toEqual({
      key: 'second',
      dateId: 'arezzo',
      caption: 'Rain',
    });
    const moved = after(stopped, { type: 'dated', dateId: 'beach' });
    expect(after(moved, { type: 'started' }, sending('a', 'second')).items[0]?.attempt?.key).toBe('second');
    const spaced = after(stopped, { type: 'captioned', id: 'a', caption: '  ' });
    expect(after(spaced, { type: 'started' }, sending('a', 'second')).items[0]?.attempt?.key).toBe('first');
  });

  it('keeps the progress until more is sent', { tags: ['uploads.sending.3'] }, () => {
    const reached = (queue: UploadQueue) => queue.items[0]?.progress;
    const half = after(broken, sending('a'), { type: 'progressed', id: 'a', share: 0.5 });
    const paused = after(half, { type: 'paused', because: 'offline' });
    expect(reached(paused)).toBe(45);
    const again = after(paused, { type: 'resumed' }, sending('a'), { type: 'progressed', id: 'a', share: 0.1 });
    expect(reached(again)).toBe(45);
    expect(reached(after(again, { type: 'progressed', id: 'a', share: 0.6 }))).toBe(54);
  });
});

describe('in any sequence of events', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd');
  const anyEvent: fc.Arbitrary<UploadEvent> = fc.oneof(
    fc.record({ type: fc.constant('removed' as const), id }),
    fc.record({ type: fc.constant('added' as const), items: fc.constant(items('e')) }),
    fc.record({ type: fc.constant('captioned' as const), id, caption: fc.string({ maxLength: 3 }) }),
    fc.record({ type: fc.constant('dated' as const), dateId: fc.constantFrom('arezzo', 'beach', null) }),
    fc.record({ type: fc.constant('started' as const) }),
    fc.record({ type: fc.constant('stopped' as const) }),
    fc.record({ type: fc.constant('resumed' as const) }),
    fc.constant({ type: 'next' as const }),
    fc.record({
      type: fc.constant('finished' as const),
      how: fc.constantFrom('uploaded', 'refused', 'gaveUp', 'paused'),
    }),
    fc.record({ type: fc.constant('progressed' as const), id, share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  ) as fc.Arbitrary<UploadEvent>;

  /** Applies an event like the uploader, which starts the next item and reports only on items that it started. */
  function play(
    queue: UploadQueue,
    event: UploadEvent | { type: 'next' } | { type: 'finished'; how: string },
  ): UploadQueue {
    const under = queue.items.find(({ state }) => state === 'uploading');
    if (event.type === 'next') {
      const next = nextToSend(queue);
      return next ? reduceUpload(queue, sending(next.id, `${next.id} ${next.caption} ${queue.dateId}`)) : queue;
    }
    if (event.type !== 'finished') return reduceUpload(queue, event as UploadEvent);
    if (!under) return queue;
    const told = { type: event.how, id: under.id, reason: null, because: 'connection' } as unknown as UploadEvent;
    return reduceUpload(queue, told);
  }

  it('at most one file is uploading, uploaded files stay uploaded, and the progress caps hold', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 60 }), (events) => {
        let queue = chosen('a', 'b', 'c', 'd');
        for (const event of events) {
          const before = queue;
          queue = play(queue, event);
          const under = queue.items.filter(({ state }) => state === 'uploading');
          expect(under.length).toBeLessThanOrEqual(queue.isRunning ? 1 : 0);
          for (const item of before.items.filter(({ state }) => state === 'uploaded')) {
            const now = queue.items.find((one) => one.id === item.id);
            if (now) expect(now).toEqual(item);
          }
          const { percent, uploaded, total } = summarize(queue);
          expect(percent).toBeLessThanOrEqual(uploaded === total ? 100 : 95);
          expect(percent).toBeGreaterThanOrEqual(Math.min(95, Math.floor((uploaded / Math.max(total, 1)) * 100)));
          if (queue.isRunning) expect(nextToSend(queue)).toBeDefined();
          if (isDone(queue)) expect(queue.isRunning).toBe(false);
        }
      }),
    );
  });

  it('progress never decreases while a run succeeds or pauses', { tags: ['uploads.sending.3'] }, () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (shares) => {
        let queue = after(chosen('a', 'b', 'c'), { type: 'started' });
        let last = 0;
        for (const share of [...shares, 1]) {
          const next = nextToSend(queue);
          if (!next) break;
          queue = after(queue, sending(next.id), { type: 'progressed', id: next.id, share });
          if (share < 0.2) queue = reduceUpload(queue, { type: 'paused', because: 'offline' });
          if (share > 0.9) queue = reduceUpload(queue, { type: 'uploaded', id: next.id });
          const { percent } = summarize(queue);
          expect(percent).toBeGreaterThanOrEqual(last);
          last = percent;
        }
      }),
    );
  });
});
