import { Pause, Play } from 'lucide-react';
import { type FocusEvent, Suspense, use, useEffect, useState } from 'react';
import { useAlive } from '../../base/web/alive.tsx';
import { cx } from '../../kit/web/cx.ts';
import { IconButton } from '../../kit/web/forms/icon-button.tsx';
import type { Readers } from '../messages.ts';
import css from './rotating-message.module.css';

/** How long a message stands (spec 9, message rotation). */
const MESSAGE_MS = 3000;
/** They come beside the dashboard's data, not before it. */
const coming = import('../messages.ts');

/**
 * A message to the two of us, then another, in an order of its own each time (spec 2, Dashboard). It stays while it is
 * pointed at, while the focus is on it, while it is paused, and for those who want less motion (contract 5).
 */
export function RotatingMessage(readers: Readers) {
  const alive = useAlive();
  return (
    <Suspense fallback={<div className={css.passing} />}>
      {/* Another name is another set of messages; the server draws none, since each draws lots anew. */}
      {alive ? <Rotation key={`${readers.you} ${readers.partner}`} {...readers} /> : <div className={css.passing} />}
    </Suspense>
  );
}

function Rotation(readers: Readers) {
  const { messagesFor, shuffled } = use(coming);
  const [messages] = useState(() => shuffled(messagesFor(readers), Math.random));
  const [turn, setTurn] = useState(0);
  const [paused, setPaused] = useState(false);
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const held = paused || pointed || focused;
  useEffect(() => {
    if (held || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const timer = setInterval(() => setTurn((now) => now + 1), MESSAGE_MS);
    return () => clearInterval(timer);
  }, [held]);

  const onPress = () => {
    setPaused(!paused);
    if (!paused) return;
    // Who lets it go on is still there with pointer and focus: that does not hold it now.
    setPointed(false);
    setFocused(false);
  };
  const blur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false);
  };
  return (
    <div
      className={css.passing}
      onPointerEnter={() => setPointed(true)}
      onPointerLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={blur}
    >
      <p key={turn} className={cx('felt', css.message)}>
        {messages[turn % messages.length]}
      </p>
      <IconButton
        label={paused ? 'Play' : 'Pause'}
        icon={paused ? <Play /> : <Pause />}
        className={css.hold}
        onClick={onPress}
      />
    </div>
  );
}
