import { type Box, liftOver } from '../../../base/lift.ts';

/** What can be pressed. */
const CONTROLS = 'a[href], button, input, select, textarea, summary';
/** A control up to this height stays free as a whole; of something larger, a print for example, its middle does. */
const LOW = 72;
const MIDDLE = 44;
/** Scrolling, and what it draws, has come to rest after so many milliseconds. */
const REST_MS = 100;

/**
 * Moves a floating button up from the controls that it would cover: whenever scrolling or drawing comes to rest it goes
 * to the lowest free place in its column. Where there is none it steps out of sight. To be given as the button's `ref`.
 */
export function stepAside(float: HTMLElement | null): (() => void) | undefined {
  const main = float?.closest('main');
  if (!float || !main) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Not away from under the finger that presses it.
      if (float.matches(':active')) soon();
      else step(float, main);
    }, REST_MS);
  };
  const drawn = new MutationObserver(soon);
  drawn.observe(main, { childList: true, subtree: true });
  const sized = new ResizeObserver(soon);
  sized.observe(main);
  window.addEventListener('scroll', soon, { passive: true });
  window.addEventListener('resize', soon);
  return () => {
    clearTimeout(timer);
    drawn.disconnect();
    sized.disconnect();
    window.removeEventListener('scroll', soon);
    window.removeEventListener('resize', soon);
  };
}

function step(float: HTMLElement, main: Element): void {
  // Not shown at this width.
  if (float.getClientRects().length === 0) return;
  const controls = [...main.querySelectorAll(CONTROLS)].filter((one) => one !== float).map(free);
  const lift = liftOver(home(float), controls, window.innerHeight / 2);
  float.style.setProperty('--lift', `${lift ?? 0}px`);
  float.toggleAttribute('data-away', lift === null);
}

/** Where it stands when it is not moved. */
function home(float: HTMLElement): Box {
  const { left, top, right, bottom } = float.getBoundingClientRect();
  const moved = Number.parseFloat(getComputedStyle(float).translate.split(' ')[1] ?? '0');
  return { left, top: top - moved, right, bottom: bottom - moved };
}

function free(control: Element): Box {
  const { left, top, right, bottom, height } = control.getBoundingClientRect();
  if (height <= LOW) return { left, top, right, bottom };
  const x = (left + right - MIDDLE) / 2;
  const y = (top + bottom - MIDDLE) / 2;
  return { left: x, top: y, right: x + MIDDLE, bottom: y + MIDDLE };
}
