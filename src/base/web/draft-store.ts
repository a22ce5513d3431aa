import { HOUR } from '../time.ts';

/**
 * What stands in an open form when the session ends under our hands (401): it is kept in this tab alone, for the same
 * user on the same page, and given back when the form opens again after signing in. Whoever signs out on purpose
 * leaves nothing behind (contract 5).
 */
export interface Draft {
  readonly owner: string;
  readonly path: string;
  readonly keptAt: number;
  readonly typed: unknown;
  /** The version that an edit builds on, so that a change made meanwhile is still noticed. */
  readonly etag: string | null;
}

const PLACE = 'draft';
const KEPT_MS = HOUR;

/** Reads what stands in a form, or null where nothing was typed. */
export type DraftReader = () => Pick<Draft, 'typed' | 'etag'> | null;
let open: DraftReader | null = null;

/** The form that is open now; the function it returns says that it is closed. */
export function openDraft(reader: DraftReader): () => void {
  open = reader;
  return () => {
    if (open === reader) open = null;
  };
}

/**
 * Takes what stands in the open form, before the page goes. The function it returns puts it down, when everything else
 * has been forgotten.
 */
export function holdDraft(owner: string): () => void {
  const held = open?.() ?? null;
  const path = location.pathname;
  return () => {
    if (held !== null) putDraft({ owner, path, ...held });
  };
}

/** Puts down what is to stand in the form at a path when it opens. */
export function putDraft(draft: Omit<Draft, 'keptAt'>): void {
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ ...draft, keptAt: Date.now() } satisfies Draft));
  } catch {
    // A browser that keeps nothing cannot keep this either.
  }
}

/** What this user had written on this page, or null. */
export function findDraft(owner: string): Draft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as Draft | null;
    const ours = draft?.owner === owner && draft.path === location.pathname && Date.now() - draft.keptAt < KEPT_MS;
    return ours ? draft : null;
  } catch {
    return null;
  }
}

/** A draft is given back once; another's, or an old one, not at all. */
export function dropDraft(): void {
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // Nothing is kept where nothing can be.
  }
}
