/** What is searched for, and when. */
export interface SearchRequest {
  /** The words, folded by `foldText`; at least one. */
  readonly words: readonly string[];
  /** The most finds of a kind that a reply has. */
  readonly limit: number;
  readonly now: number;
}

/** The first finds of a kind, and how many there are in all. */
export interface Finds<T> {
  readonly finds: T[];
  readonly count: number;
}
