/** One line of the bench: what was measured, the figure, and the goal that stands beside it. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
  readonly goal: string;
}
