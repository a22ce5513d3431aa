import type { Change } from '../../change.ts';

/** The changes that this page makes to one kind of entity. */
interface OwnChanges {
  /** How many have no answer yet. */
  running: number;
  /** The ids of those that the stream has told of meanwhile. */
  readonly told: Set<string>;
  /** The ids of those that were answered first, and until when the stream is expected to tell of them. */
  readonly expected: Map<string, number>;
}

/** How long the stream may take to tell of a change after its answer, in milliseconds. */
const EXPECTED_MS = 5000;

const changesOf: Readonly<Record<Change['entity'], OwnChanges>> = {
  dateIdea: none(),
  plannedDate: none(),
  memory: none(),
  couple: none(),
};

function none(): OwnChanges {
  return { running: 0, told: new Set(), expected: new Map() };
}

/**
 * Begins a change of this page. The stream announces it too, before its answer or after it, and what it affects is fetched
 * once: `isOwnChange` keeps the stream from fetching it, so the caller does, once the change has ended.
 * @returns a function that ends it with the id of what has changed, or null if nothing has. It returns whether the stream
 *   has told of a change meanwhile
 */
export function beginOwnChange(entity: Change['entity']): (id: string | null) => boolean {
  const own = changesOf[entity];
  own.running += 1;
  return (id) => {
    own.running -= 1;
    const wasTold = own.told.size > 0;
    if (id !== null && !own.told.delete(id)) own.expected.set(id, performance.now() + EXPECTED_MS);
    if (own.running === 0) own.told.clear();
    return wasTold;
  };
}

/** Whether this page itself fetches what a change of the stream affects, because the change is its own. */
export function isOwnChange({ entity, id, by }: Change, userId: string | null): boolean {
  if (by !== userId) return false;
  const own = changesOf[entity];
  const expectedUntil = own.expected.get(id) ?? 0;
  own.expected.delete(id);
  if (expectedUntil > performance.now()) return true;
  if (own.running === 0) return false;
  // Another device of this user may have made it. It is fetched with what this page is about to change.
  own.told.add(id);
  return true;
}
