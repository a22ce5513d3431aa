import type { ReactNode } from 'react';

/** The drawing on each medal: two rings, a feather, a laurel, an hourglass, a star, a hundred. */
const DRAWINGS: Readonly<Record<string, ReactNode>> = {
  'first-date': (
    <>
      <circle cx="9.5" cy="13" r="5" />
      <circle cx="14.5" cy="13" r="5" />
    </>
  ),
  'time-flies': <path d="M5 19C5 10 10 5 19 5c0 9-5 14-14 14zM5 19l8-8" />,
  'date-night-regular': (
    <path d="M12 20c-5-1-7.5-5-7-10M12 20c5-1 7.5-5 7-10M5.5 14c2 0 3-1 3-3M7.5 17.5c2-.3 3-1.5 2.7-3.5M18.5 14c-2 0-3-1-3-3M16.5 17.5c-2-.3-3-1.5-2.7-3.5" />
  ),
  'quality-time': <path d="M7 4h10M7 20h10M8 4c0 5 8 6.5 8 16M16 4c0 5-8 6.5-8 16" />,
  'date-master': <path d="M12 4.5l2.2 4.8 5.3.6-3.9 3.6 1 5.2-4.6-2.6-4.6 2.6 1-5.2-3.9-3.6 5.3-.6z" />,
  'century-club': (
    <path d="M5 9l2-1.5V16M13.5 12a2.3 4.2 0 1 1-4.6 0 2.3 4.2 0 0 1 4.6 0zM20.5 12a2.3 4.2 0 1 1-4.6 0 2.3 4.2 0 0 1 4.6 0z" />
  ),
};

/** A milestone's drawing, or its emoji if this version has no drawing for it. */
export function MilestoneIcon({ id, icon }: { id: string; icon: string }) {
  const drawing = DRAWINGS[id];
  if (!drawing) return icon;
  return (
    <svg
      className="lucide"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawing}
    </svg>
  );
}
