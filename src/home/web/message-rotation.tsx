import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { useTimer } from '../../base/web/device/timers.ts';
import { useReducedMotion } from '../../base/web/device/use-reduced-motion.ts';
import { cx } from '../../kit/web/cx.ts';
import { usePointerOrFocus } from '../../kit/web/feedback/use-pointer-or-focus.ts';
import { IconButton } from '../../kit/web/forms/icon-button.tsx';
import { messagesFor, type Readers, shuffleMessages } from '../messages.ts';
import css from './message-rotation.module.css';

/** How long each message is shown. */
const MESSAGE_MS = 3000;

/**
 * Shows the messages one after another in random order. The rotation stops on hover, on focus, when
 * paused, and with reduced motion.
 */
export function MessageRotation(readers: Readers) {
  const [messages] = useState(() => shuffleMessages(messagesFor(readers), Math.random));
  const [index, setIndex] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const hold = usePointerOrFocus();
  const isStopped = useReducedMotion() || isPaused || hold.isHeld;
  useTimer(isStopped ? null : index, MESSAGE_MS, () => setIndex(index + 1));

  const onPress = () => {
    setPaused(!isPaused);
    if (!isPaused) return;
    // The pointer and focus are still on the button, but pressing Play resumes the rotation.
    hold.release();
  };
  return (
    <div className={css.rotating} {...hold.props}>
      <p key={index} className={cx('felt', css.message)}>
        {messages[index % messages.length]}
      </p>
      <IconButton
        label={isPaused ? 'Play' : 'Pause'}
        icon={isPaused ? <Play /> : <Pause />}
        className={css.pause}
        onClick={onPress}
      />
    </div>
  );
}
