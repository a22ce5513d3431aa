import { onDemand } from '../../base/web/async.tsx';
import { useHydrated } from '../../base/web/hydration.tsx';
import type { Readers } from '../messages.ts';
import css from './rotating-message.module.css';

const load = () => import('./rotation.tsx').then((module) => module.Rotation);
// The messages load in parallel with the dashboard's data. Rendering them reports a failure.
load().catch(() => undefined);

const blank = () => <div className={css.rotating} />;
const Rotation = onDemand(load, { loading: blank, failed: blank });

/** The rotating messages. The server renders none, because their order is random. */
export function RotatingMessage(readers: Readers) {
  // Another name means other messages.
  return useHydrated() ? <Rotation key={`${readers.you} ${readers.partner}`} {...readers} /> : blank();
}
