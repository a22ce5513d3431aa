import { cx } from '../../kit/web/cx.ts';
import { ProgressBar } from '../../kit/web/feedback/progress-bar.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import { type Pause, summarize, type UploadQueue } from '../upload-queue.ts';
import { laterText } from '../upload-texts.ts';
import css from './upload-progress.module.css';

const PAUSED: Readonly<Record<Pause, string>> = {
  connection: 'The connection was lost. Trying again in a moment.',
  busy: 'The server is busy. Trying again in a moment.',
  offline: 'We are offline. The upload continues when the connection is back.',
  'signed-out': 'Please sign in again. The upload will continue where it left off.',
};

export function ProgressFigures({ queue }: { queue: UploadQueue }) {
  const { uploaded, total, percent } = summarize(queue);
  return (
    <>
      <ProgressBar label="Upload" value={percent} />
      <p className={cx(css.figures, 'num')}>
        <span>
          {uploaded} of {total} uploaded
        </span>
        {/* Announcing every percent would drown out everything else. */}
        <span aria-live="off">{percent}% Complete</span>
      </p>
    </>
  );
}

/** The running upload. Screen readers announce only what changes rarely. */
export function UploadProgress({ queue, onStop }: { queue: UploadQueue; onStop: () => void }) {
  const later = queue.items.filter((item) => item.later).length;
  return (
    <section className={css.sending}>
      <div className={css.sending} role="status">
        <h2>Uploading our precious memories...</h2>
        <ProgressFigures queue={queue} />
        {queue.pause && <p className="aside">{PAUSED[queue.pause]}</p>}
        {later > 0 && <p className="aside">{laterText(later)}</p>}
      </div>
      <Actions>
        <Button onClick={onStop}>Stop</Button>
      </Actions>
    </section>
  );
}
