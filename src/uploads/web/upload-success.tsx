import { ProgressBar } from '../../kit/web/feedback/progress-bar.tsx';
import { TextLink } from '../../kit/web/layout/text-link.tsx';
import { summarize, type UploadQueue } from '../upload-queue.ts';
import { savedText } from '../upload-texts.ts';
import css from './upload-progress.module.css';

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
