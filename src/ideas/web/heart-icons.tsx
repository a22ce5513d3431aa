/** Icons of the album, drawn like the line icons of the library. They are decorative. */

const frame = { className: 'lucide', viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', 'aria-hidden': true };

/** A closed heart. It is filled by its stylesheet if it is the viewer's own. */
export function HeartIcon() {
  return (
    <svg {...frame}>
      <path d="M12 20C6.5 15.5 4 12.5 4 9.2 4 6.8 5.8 5 8 5c1.8 0 3.2 1 4 2.6C12.8 6 14.2 5 16 5c2.2 0 4 1.8 4 4.2 0 3.3-2.5 6.3-8 10.8z" />
    </svg>
  );
}

/** Two hearts on one thread: both want it. */
export function HeartsIcon() {
  return (
    <svg {...frame}>
      <path d="M8.5 18C4.8 15 3 12.8 3 10.4 3 8.7 4.3 7.4 5.8 7.4c1.2 0 2.2.7 2.7 1.8.5-1.1 1.5-1.8 2.7-1.8 1.5 0 2.8 1.3 2.8 3 0 2.4-1.8 4.6-5.5 7.600z" />
      <path d="M13 9.200c.2-.9 1.4-2.8 3.3-2.8 2.1 0 3.7 1.7 3.7 3.9 0 2.7-2 5-5.7 8" />
    </svg>
  );
}

/** A card with a heart, drawn from a deck. */
export function DeckIcon() {
  return (
    <svg {...frame}>
      <path d="M8.5 5.5h10v13h-10zM5.5 8v13h10" />
      <path d="M13.5 14.5c-2-1.6-2.8-2.6-2.8-3.7 0-.8.6-1.4 1.3-1.4.6 0 1.2.3 1.5.9.3-.6.9-.9 1.5-.9.7 0 1.3.6 1.3 1.4 0 1.1-.8 2.1-2.8 3.700z" />
    </svg>
  );
}
