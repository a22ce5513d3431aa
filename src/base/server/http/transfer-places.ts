import { Refusal } from '../../refusal.ts';

/** A place younger than this is never taken away: it has had no time to move anything. */
const GRACE_MS = 10_000;
/** What moves slower than this, in bytes per second, gives its place to another transfer. */
const SLOW = 16 * 1024;

/** How many transfers may run at the same time. */
interface PlaceLimits {
  readonly ofNode: number;
  readonly ofCouple: number;
  /** A clock in milliseconds; tests set it. */
  readonly now?: () => number;
}

/** The place of one transfer between this node and a client. */
export interface TransferPlace {
  /** Aborts with a Refusal 503 when another transfer takes the place. */
  readonly signal: AbortSignal;
  /** Counts bytes that the client has sent or read. */
  moved(bytes: number): void;
  /** From now on this node works, not the client, so that the place can't be taken away. */
  keep(): void;
  leave(): void;
}

interface Entry {
  readonly coupleId: string;
  readonly since: number;
  readonly taking: AbortController;
  bytes: number;
  isKept: boolean;
}

/**
 * Limits the transfers that clients may keep open on this node. When the node is full, the slowest transfer of a couple
 * that has more than the newcomer's gives its place, so that a few couples can't hold all of them, however slowly they
 * send or read.
 */
export class TransferPlaces {
  readonly #limits: PlaceLimits;
  readonly #entries = new Set<Entry>();

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** @throws Refusal 429 if the couple has too many places; 503 if the node is full and no transfer is slow */
  enter(coupleId: string): TransferPlace {
    const ofCouple = this.#countOf(coupleId);
    if (ofCouple >= this.#limits.ofCouple) {
      throw new Refusal(429, 'You have too many transfers at once. Please wait a moment.', { retryAfter: 5 });
    }
    if (this.#entries.size >= this.#limits.ofNode && !this.#takeSlowest(ofCouple)) throw busy();
    const entry: Entry = { coupleId, since: this.#now(), taking: new AbortController(), bytes: 0, isKept: false };
    this.#entries.add(entry);
    return {
      signal: entry.taking.signal,
      moved: (bytes) => {
        entry.bytes += bytes;
      },
      keep: () => {
        entry.isKept = true;
      },
      leave: () => void this.#entries.delete(entry),
    };
  }

  /** Takes the place of the slowest transfer of the couple that has most. @returns false if there is none to take */
  #takeSlowest(ofNewcomer: number): boolean {
    const now = this.#now();
    const speedOf = ({ bytes, since }: Entry) => (bytes / (now - since)) * 1000;
    const candidates = [...this.#entries]
      .filter(({ isKept, since }) => !isKept && now - since >= GRACE_MS)
      .map((entry) => ({ entry, ofCouple: this.#countOf(entry.coupleId), speed: speedOf(entry) }))
      .filter(({ ofCouple, speed }) => ofCouple > ofNewcomer + 1 || speed < SLOW)
      .sort((a, b) => b.ofCouple - a.ofCouple || a.speed - b.speed);
    const slowest = candidates[0]?.entry;
    if (!slowest) return false;
    this.#entries.delete(slowest);
    slowest.taking.abort(busy());
    return true;
  }

  #countOf(coupleId: string): number {
    let count = 0;
    for (const entry of this.#entries) if (entry.coupleId === coupleId) count += 1;
    return count;
  }

  #now(): number {
    return (this.#limits.now ?? (() => performance.now()))();
  }
}

function busy(): Refusal {
  return new Refusal(503, 'Too many photographs are on their way right now. Please try again.', { retryAfter: 5 });
}
