import { type FocusEvent, useRef, useState } from 'react';

/** Whether the pointer or the focus is on an element that would otherwise go away or change by itself. */
export interface PointerOrFocus {
  /** Whether one of them is there, so that the element stays as it is. */
  readonly isHeld: boolean;
  /** Lets the element go or change, although the pointer or the focus is still there. */
  readonly release: () => void;
  /** Returns the focus to where it came from, before its element disappears. */
  readonly returnFocus: () => void;
  /** Props of the element. */
  readonly props: {
    readonly onPointerEnter: () => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: (event: FocusEvent) => void;
  };
}

/** Follows the pointer and the focus on an element, so that a `useTimer` can wait for them. */
export function usePointerOrFocus(): PointerOrFocus {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const cameFrom = useRef<EventTarget | null>(null);
  const isInside = ({ currentTarget, relatedTarget }: FocusEvent) =>
    relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
  return {
    isHeld: isHovered || isFocused,
    release: () => {
      setHovered(false);
      setFocused(false);
    },
    returnFocus: () => {
      if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    },
    props: {
      onPointerEnter: () => setHovered(true),
      onPointerLeave: () => setHovered(false),
      onFocus: (event) => {
        if (!isInside(event)) cameFrom.current = event.relatedTarget;
        setFocused(true);
      },
      onBlur: (event) => {
        if (!isInside(event)) setFocused(false);
      },
    },
  };
}
