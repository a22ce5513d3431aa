/** What is searched for, and when. */
export interface SearchRequest {
  /** Folded; at least one. */
  readonly words: readonly string[];
  /** The most hits of a kind. */
  readonly limit: number;
  readonly now: number;
}

/** The first hits of a kind, and how many there are in all. */
export interface Hits<T> {
  readonly hits: T[];
  readonly count: number;
}
