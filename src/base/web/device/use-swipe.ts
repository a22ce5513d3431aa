import { type PointerEvent, useRef, useState } from 'react';

/** How far a finger must travel. */
const THRESHOLD = 50;
/** From this distance in pixels on, the pointer belongs to the swipe. Below it, a press on a link stays a press. */
const CAPTURED_FROM = 8;

/** Pointer handlers for horizontal swipes, and the current drag distance in pixels. */
export function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const from = useRef<{ x: number; y: number; id: number } | null>(null);
  const [drawn, setDrawn] = useState(0);
  const end = () => {
    from.current = null;
    setDrawn(0);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // With two fingers or a zoomed page, the user is not swiping.
      const enlarged = (window.visualViewport?.scale ?? 1) > 1.01;
      from.current =
        event.isPrimary && event.button === 0 && !enlarged
          ? { x: event.clientX, y: event.clientY, id: event.pointerId }
          : null;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current?.id !== event.pointerId) return;
      const across = event.clientX - from.current.x;
      if (Math.abs(across) >= CAPTURED_FROM) event.currentTarget.setPointerCapture(event.pointerId);
      setDrawn(across);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const begun = from.current;
      if (begun?.id !== event.pointerId) return;
      const across = event.clientX - begun.x;
      end();
      if (Math.abs(across) >= THRESHOLD && Math.abs(across) > Math.abs(event.clientY - begun.y)) {
        onSwipe(across < 0 ? 1 : -1);
      }
    },
    onPointerCancel: end,
  };
  return { handlers, drawn };
}
