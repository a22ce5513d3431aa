/** One line of output: what was measured, the result, and its goal. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
  readonly goal: string;
}
