import { type ReactNode, useEffect, useState } from 'react';

/** How long the region is there before its text, in milliseconds. */
const DELAY_MS = 100;

/** Tells screen readers a text. The region is there before its text: only what is added to a known region is announced. */
export function Announcement({ children }: { children: ReactNode }) {
  const [text, setText] = useState<ReactNode>(null);
  useEffect(() => {
    const timer = setTimeout(() => setText(children), DELAY_MS);
    return () => clearTimeout(timer);
  }, [children]);
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}
