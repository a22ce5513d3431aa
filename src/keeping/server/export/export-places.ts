import type { Readable } from 'node:stream';
import type { UserId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';

/** Exports at the same time on this node. Each holds the paths of its photographs, and reads from the store. */
const PLACES = 4;
const RETRY_S = 60;

/**
 * The exports that run on this node: one for each user, and few in all. One whose reader has gone ends with its connection,
 * which times out.
 */
export class ExportPlaces {
  readonly #running = new Set<UserId>();

  /** @throws Refusal 409 if the user's export is running; 503 if there is no place */
  assertFree(userId: UserId): void {
    if (this.#running.has(userId)) {
      throw new Refusal(409, 'Your export is still being downloaded. Please wait until it is complete.');
    }
    if (this.#running.size >= PLACES) {
      throw new Refusal(503, 'Other exports are running. Please try again in a few minutes.', { retryAfter: RETRY_S });
    }
  }

  /** Runs an export until it is read or aborted. @throws Refusal like `assertFree` */
  run(userId: UserId, start: () => Readable): Readable {
    this.assertFree(userId);
    const archive = start();
    this.#running.add(userId);
    return archive.once('close', () => this.#running.delete(userId));
  }
}
