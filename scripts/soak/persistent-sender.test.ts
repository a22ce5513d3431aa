import { expect, it } from 'vitest';
import type { Result } from '../../tests/support/caller.ts';
import { PersistentSender } from './persistent-sender.ts';

const answer = (status: number, retryAfter?: string): Result<null> => {
  const headers = new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  return { status, body: null, headers, problem: {} as Result<null>['problem'] };
};

/** Answers one after the other; null is a lost connection. */
const answering = (...answers: (Result<null> | null)[]) => {
  return async () => {
    const next = answers.shift();
    if (!next) throw new TypeError('fetch failed');
    return next;
  };
};

it('sends a request again after the wait of Retry-After, until it is acknowledged', {
  tags: ['durability.nodes.7'],
}, async () => {
  const sender = new PersistentSender();
  const request = answering(answer(503, '0'), null, answer(409, '0'), answer(429, '0'), answer(201));
  expect(await sender.send(request, { what: 'a date' })).toMatchObject({ outcome: 'acknowledged' });
  expect(sender.calls).toEqual({ acknowledged: 1, refused: 0, unknown: 4 });
  expect(sender.brokenPromises).toEqual([]);
});

it('waits for room on a disk that may fill up, and reports it on others', {
  tags: ['durability.stored.10'],
}, async () => {
  const sender = new PersistentSender(true);
  const request = () => answering(answer(507), answer(201));
  expect(await sender.send(request(), { what: 'a date' })).toMatchObject({ outcome: 'acknowledged' });
  expect(sender.calls).toEqual({ acknowledged: 1, refused: 1, unknown: 0 });
  expect(sender.brokenPromises).toEqual([]);
  const other = new PersistentSender();
  expect((await other.send(request(), { what: 'a date' })).outcome).toBe('refused');
  expect(other.brokenPromises).toEqual(['a date: 507 null']);
});

it.each([500, 502, 503, 504, 404])(
  'reports %i without Retry-After',
  { tags: ['durability.nodes.7'] },
  async (status) => {
    const sender = new PersistentSender();
    expect((await sender.send(answering(answer(status)), { what: 'a date' })).outcome).toBe('refused');
    expect(sender.brokenPromises).toEqual([`a date: ${status} null`]);
  },
);

it('goes on after the effect of an earlier attempt without an acknowledgment, and takes a conflict without one for a broken promise', async () => {
  const sender = new PersistentSender();
  const settle = async () => answer(200);
  const request = () => answering(null, answer(409));
  expect(await sender.send(request(), { what: 'a start', settle })).toMatchObject({
    outcome: 'unknown',
    result: { status: 200 },
  });
  expect(sender.brokenPromises).toEqual([]);
  await sender.send(answering(answer(409)), { what: 'a start', settle });
  await sender.send(request(), { what: 'a start', settle: async () => null });
  expect(sender.brokenPromises).toEqual(['a start: 409 null', 'a start: 409 null']);
});
