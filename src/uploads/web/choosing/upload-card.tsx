import { Check, CircleAlert, X } from 'lucide-react';
import { useId } from 'react';
import { countText } from '../../../base/clean-text.ts';
import { formatSize } from '../../../base/number-texts.ts';
import { counter } from '../../../base/web/forms/counter.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { Photo } from '../../../kit/web/album/photo.tsx';
import { cx } from '../../../kit/web/cx.ts';
import { Badge } from '../../../kit/web/feedback/badge.tsx';
import { ProgressBar } from '../../../kit/web/feedback/progress-bar.tsx';
import { IconButton } from '../../../kit/web/forms/icon-button.tsx';
import { TextArea } from '../../../kit/web/forms/text-area.tsx';
import { captionFault } from '../../../memories/caption.ts';
import { memoryLimits } from '../../../memories/rules.ts';
import type { UploadItem } from '../../upload-queue.ts';
import type { Upload } from '../queue/use-uploader.ts';
import { CardDate } from './card-date.tsx';
import css from './upload-card.module.css';
import { usePreview } from './use-preview.ts';

export interface UploadCardProps {
  readonly item: UploadItem;
  /** Of the whole page. */
  readonly upload: Upload;
  /** The dates to choose from if it has a date of its own. */
  readonly dates: readonly PlannedDate[];
  /** Whether it cannot be edited, because it is being sent. */
  readonly isLocked: boolean;
}

/** A selected photo: its preview, name, size, date, caption and progress. */
export function UploadCard({ item, upload, dates, isLocked }: UploadCardProps) {
  const { uploader } = upload;
  const { id, name, size, captured, caption, state, reason, ownDateId } = item;
  const nameId = `file-${useId()}`;
  const isDone = state === 'uploaded';
  return (
    <li className={css.upload}>
      <div className={css.stage}>
        <UploadPrint item={item} file={uploader.fileOf(id)} />
      </div>
      <div className={css.words}>
        <div className={css.file}>
          <p className={css.name} id={nameId} title={name}>
            {name}
          </p>
          <IconButton
            label={`Remove ${name}`}
            icon={<X />}
            className={css.remove}
            disabled={isLocked || isDone}
            onClick={() => void upload.remove(id)}
          />
          <p className={cx(css.size, 'num')}>
            {formatSize(size)}
            {captured && <Badge>captured</Badge>}
          </p>
        </div>
        {state === 'failed' && (
          <p className={css.failed}>
            <CircleAlert />
            <span>
              Upload failed - click retry to try again
              {reason && <small>{reason}</small>}
            </span>
          </p>
        )}
        {ownDateId !== null && (
          <CardDate
            name={name}
            nameId={nameId}
            dateId={ownDateId}
            dates={dates}
            isLocked={isLocked || isDone}
            onChange={(dateId) => uploader.assignDates({ [id]: dateId })}
          />
        )}
        <TextArea
          italic
          label="Caption"
          className={css.caption}
          rows={2}
          placeholder="Add a caption for this memory..."
          {...counter(countText(caption), memoryLimits.caption, '/')}
          error={captionFault(caption)}
          aria-describedby={nameId}
          value={caption}
          disabled={isLocked || isDone}
          onChange={(event) => uploader.setCaption(id, event.target.value)}
        />
      </div>
    </li>
  );
}

function UploadPrint({ item, file }: { item: UploadItem; file: File | undefined }) {
  const preview = usePreview(file);
  // 3:2 until its own proportions are known.
  const { width, height } = preview ?? { width: 3, height: 2 };
  return (
    <div className={css.print} style={{ '--ar': (width / height).toFixed(4) }}>
      {preview === undefined ? (
        <span className={css.coming} />
      ) : (
        <Photo src={preview?.url} width={width} height={height} eager />
      )}
      <UploadState item={item} />
    </div>
  );
}

function UploadState({ item: { state, progress, name } }: { item: UploadItem }) {
  if (state === 'selected') return null;
  if (state === 'uploading') {
    return (
      <div className={css.over}>
        <span>Uploading...</span>
        <ProgressBar label={`Upload of ${name}`} value={Math.floor(progress)} className={css.thread} />
        <span className={cx(css.percent, 'num')}>{Math.floor(progress)}%</span>
      </div>
    );
  }
  return state === 'uploaded' ? (
    <div className={cx(css.over, css.isDone)}>
      <Check /> Uploaded
    </div>
  ) : (
    <div className={cx(css.over, css.broken)}>
      <CircleAlert /> Failed
    </div>
  );
}
