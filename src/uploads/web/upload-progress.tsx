import { RotateCw } from 'lucide-react';
import { cx } from '../../kit/web/cx.ts';
import { ProgressBar } from '../../kit/web/feedback/progress-bar.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import { TextLink } from '../../kit/web/layout/text-link.tsx';
import { type Pause, summarize, type UploadQueue } from '../upload-queue.ts';
import { laterText, savedText } from '../upload-texts.ts';
import css from './upload-progress.module.css';

const PAUSED: Readonly<Record<Pause, string>> = {
  connection: 'The connection was lost. Trying again in a moment.',
  busy: 'The server is busy. Trying again in a moment.',
  offline: 'We are offline. The upload continues when the connection is back.',
  'signed-out': 'Please sign in again. The upload will continue where it left off.',
};

function ProgressFigures({ queue }: { queue: UploadQueue }) {
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

/** The choices after an upload that partly failed. */
export function UploadRetry(props: {
  queue: UploadQueue;
  onRetry: () => void;
  continueHref: string;
  onLeave: () => void;
}) {
  const { queue, onRetry, continueHref, onLeave } = props;
  return (
    <section className={css.sending}>
      <h2>Some files failed to upload. You can retry or continue without them.</h2>
      <ProgressFigures queue={queue} />
      <Actions>
        <Button variant="primary" icon={<RotateCw />} onClick={onRetry}>
          Retry Failed Uploads
        </Button>
        <ButtonLink
          variant="text"
          href={continueHref}
          onClick={(event) => {
            // It may have to ask first.
            event.preventDefault();
            onLeave();
          }}
        >
          Continue without them
        </ButtonLink>
      </Actions>
    </section>
  );
}

/** The success message after every photo is saved. */
export function UploadSuccess({
  queue,
  continueHref,
  date,
}: {
  queue: UploadQueue;
  continueHref: string;
  date: string | null;
}) {
  const { total } = summarize(queue);
  return (
    <section className={css.success}>
      <div className={css.success} role="status">
        <h1 className="title">Memories Uploaded Successfully!</h1>
        <p className="felt">{savedText(total)}</p>
      </div>
      <ProgressBar label={`${total} of ${total} uploaded`} value={100} done />
      {date && <p className="aside num">{date}</p>}
      <TextLink href={continueHref}>Go to our memories</TextLink>
    </section>
  );
}
