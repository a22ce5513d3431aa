import { loadOnDemand } from '../../base/web/net/load-on-demand.tsx';
import type { Readers } from '../messages.ts';
import css from './message-rotation.module.css';

const blank = () => <div className={css.rotating} />;
const MessageRotation = loadOnDemand(() => import('./message-rotation.tsx').then((module) => module.MessageRotation), {
  loading: blank,
  failed: blank,
});

/** The rotating messages. Their texts load after the first screen. */
export function LazyMessageRotation(readers: Readers) {
  // Another name means other messages.
  return <MessageRotation key={`${readers.you} ${readers.partner}`} {...readers} />;
}
