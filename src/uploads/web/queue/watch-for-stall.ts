/** How long a connection may be idle before it counts as broken, while sending, and while the server processes. */
export const STALLED_MS = 45_000;
export const THINKING_MS = 180_000;

/** Calls `stalled` when there was no activity within the time last given. */
export function watchForStall(stalled: () => void): { moved: (within: number) => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    moved: (within) => {
      clearTimeout(timer);
      timer = setTimeout(stalled, within);
    },
    stop: () => clearTimeout(timer),
  };
}
