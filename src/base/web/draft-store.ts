/**
 * The content of an open form when the session expires (401), the page is hidden or unloaded, or a step in the history
 * leaves it unasked. It is stored only in this tab, for the same user and page, and restored when the form opens again.
 * Signing out deletes it (contract 5).
 */
export interface Draft {
  readonly owner: string;
  readonly path: string;
  readonly keptAt: number;
  readonly typed: unknown;
  /** The version that was edited, so that a concurrent change is still detected. */
  readonly etag: string | null;
  /** The refused call of the outbox that it is from. The outbox keeps that until a form has restored the draft. */
  readonly call?: string;
}

/** Its key in sessionStorage. */
export const DRAFT_KEY = 'draft';

/** Reads an open form's content; null if nothing was typed. */
export type DraftReader = () => Pick<Draft, 'typed' | 'etag'> | null;
let open: DraftReader | null = null;

/** Registers the open form. Returns a function to call when it closes. */
export function openDraft(reader: DraftReader): () => void {
  open = reader;
  return () => {
    if (open === reader) open = null;
  };
}

/**
 * Reads the open form's content before the page unloads. Returns a function that stores it, to be called after all other
 * data on the device was deleted.
 */
export function holdDraft(owner: string): () => void {
  const held = open?.() ?? null;
  const path = location.pathname;
  return () => {
    if (held !== null) putDraft({ owner, path, ...held });
  };
}

/** Stores a draft for the form at a path. */
export function putDraft(draft: Omit<Draft, 'keptAt'>): void {
  try {
    sessionStorage.setItem(DRAFT_KEY, JSON.stringify({ ...draft, keptAt: Date.now() } satisfies Draft));
  } catch {
    // Without storage there are no drafts.
  }
}
