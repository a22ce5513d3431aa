import { Pause, Play } from 'lucide-react';
import { type FocusEvent, useEffect, useState } from 'react';
import { cx } from '../../kit/web/cx.ts';
import { IconButton } from '../../kit/web/forms/icon-button.tsx';
import { messagesFor, type Readers, shuffled } from '../messages.ts';
import css from './rotating-message.module.css';

/** How long each message is shown. */
const MESSAGE_MS = 3000;

/**
 * Shows the messages one after another in random order. The rotation stops on hover, on focus, when
 * paused, and with reduced motion.
 */
export function Rotation(readers: Readers) {
  const [messages] = useState(() => shuffled(messagesFor(readers), Math.random));
  const [index, setIndex] = useState(0);
  const [paused, setPaused] = useState(false);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const isStopped = paused || hovered || focused;
  useEffect(() => {
    if (isStopped || matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const timer = setInterval(() => setIndex((now) => now + 1), MESSAGE_MS);
    return () => clearInterval(timer);
  }, [isStopped]);

  const onPress = () => {
    setPaused(!paused);
    if (!paused) return;
    // The pointer and focus are still on the button, but pressing Play resumes the rotation.
    setHovered(false);
    setFocused(false);
  };
  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false);
  };
  return (
    <div
      className={css.rotating}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={onBlur}
    >
      <p key={index} className={cx('felt', css.message)}>
        {messages[index % messages.length]}
      </p>
      <IconButton
        label={paused ? 'Play' : 'Pause'}
        icon={paused ? <Play /> : <Pause />}
        className={css.pause}
        onClick={onPress}
      />
    </div>
  );
}
