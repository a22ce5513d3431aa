import { type Box, liftOver } from '../../../base/lift.ts';

/** The selector of interactive elements. */
const CONTROLS = 'a[href], button, input, select, textarea, summary';
/** A control up to this height must stay fully visible. Of a taller one, such as a print, only the center must. */
const LOW = 72;
const MIDDLE = 44;
/** Debounce: scrolling and rendering count as finished after this time. */
const SETTLE_MS = 100;

/**
 * Moves a floating button so that it covers no controls. Whenever scrolling or rendering settles, it goes to the lowest
 * free place in its column, or is hidden if there is none. Pass it as the button's `ref`.
 */
export function avoidOverlap(float: HTMLElement | null): (() => void) | undefined {
  const main = float?.closest('main');
  if (!float || !main) return undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const scheduleUpdate = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Don't move it while it is pressed.
      if (float.matches(':active')) scheduleUpdate();
      else update(float, main);
    }, SETTLE_MS);
  };
  const drawn = new MutationObserver(scheduleUpdate);
  drawn.observe(main, { childList: true, subtree: true });
  const sized = new ResizeObserver(scheduleUpdate);
  sized.observe(main);
  window.addEventListener('scroll', scheduleUpdate, { passive: true });
  window.addEventListener('resize', scheduleUpdate);
  return () => {
    clearTimeout(timer);
    drawn.disconnect();
    sized.disconnect();
    window.removeEventListener('scroll', scheduleUpdate);
    window.removeEventListener('resize', scheduleUpdate);
  };
}

function update(float: HTMLElement, main: Element): void {
  // It is not shown at this width.
  if (float.getClientRects().length === 0) return;
  const controls = [...main.querySelectorAll(CONTROLS)].filter((one) => one !== float).map(free);
  const lift = liftOver(home(float), controls, window.innerHeight / 2);
  float.style.setProperty('--lift', `${lift ?? 0}px`);
  float.toggleAttribute('data-away', lift === null);
}

/** Its position without the translation. */
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
