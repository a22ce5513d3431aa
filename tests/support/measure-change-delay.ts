import type { EventStream } from './event-stream.ts';
import { addIdea } from './factories.ts';
import type { Partner } from './partner.ts';

/**
 * Adds five ideas, and waits each time until the streams have it.
 * @returns how long that takes after the answer, in milliseconds: the median, since a busy machine may rest once
 */
export async function measureChangeDelay(who: Partner, streams: readonly Pick<EventStream, 'next'>[]): Promise<number> {
  const delays: number[] = [];
  for (let n = 1; n <= 5; n += 1) {
    const { id } = await addIdea(who, { title: `A change ${n}` });
    const answered = performance.now();
    for (const stream of streams) {
      for (let change = await stream.next(); change.id !== id; change = await stream.next());
    }
    delays.push(performance.now() - answered);
  }
  return delays.toSorted((a, b) => a - b)[2] ?? Number.POSITIVE_INFINITY;
}
