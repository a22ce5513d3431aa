/** The pause of a sender between attempts, one at a time. It ends early when the network is back, and on demand. */
export class Rest {
  #end: (() => void) | null = null;

  /** @param ms the length in milliseconds; null: without a limit */
  async wait(ms: number | null): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = ms === null ? undefined : setTimeout(resolve, ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
      window.addEventListener('online', this.#end);
    });
    if (this.#end) window.removeEventListener('online', this.#end);
    this.#end = null;
  }

  /** Ends the current pause, if there is one. */
  end(): void {
    this.#end?.();
  }
}
