import { RotateCw } from 'lucide-react';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import type { UploadQueue } from '../upload-queue.ts';
import css from './upload-progress.module.css';
import { ProgressFigures } from './upload-progress.tsx';

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
