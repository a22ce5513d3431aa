import type { UserId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import type { Archive } from './zip.ts';

/** Exports at the same time on this node. Each holds the paths of its photographs, and reads from the store. */
const PLACES = 4;
/** After this long without a part for its reader, an export gives way to another one. */
const STALLED_MS = 30_000;
const RETRY_S = 60;

/** The exports that run on this node: one for each user, and few in all. */
export class ExportPlaces {
  readonly #running = new Map<UserId, Archive>();

  /** @throws Refusal 409 if the user's export is running; 503 if there is no place */
  assertFree(userId: UserId): void {
    const own = this.#running.get(userId);
    if (own !== undefined && !isStalled(own)) {
      throw new Refusal(409, 'Your export is still being downloaded. Please wait until it is complete.');
    }
    if (own === undefined && this.#running.size >= PLACES && !this.#stalled()) {
      throw new Refusal(503, 'Other exports are running. Please try again in a few minutes.', { retryAfter: RETRY_S });
    }
  }

  /**
   * Runs an export until it is read or aborted. Ends one whose reader takes nothing, if its place is needed.
   * @throws Refusal like `assertFree`
   */
  run(userId: UserId, start: () => Archive): Archive {
    this.assertFree(userId);
    const inTheWay = this.#running.has(userId) ? userId : this.#running.size >= PLACES ? this.#stalled() : undefined;
    if (inTheWay !== undefined) this.#end(inTheWay);
    const archive = start();
    this.#running.set(userId, archive);
    archive.once('close', () => {
      if (this.#running.get(userId) === archive) this.#running.delete(userId);
    });
    return archive;
  }

  #stalled(): UserId | undefined {
    return [...this.#running].find(([, archive]) => isStalled(archive))?.[0];
  }

  #end(userId: UserId): void {
    this.#running.get(userId)?.destroy();
    this.#running.delete(userId);
  }
}

function isStalled(archive: Archive): boolean {
  return archive.waitingMs() >= STALLED_MS;
}
