import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentProps, type FormEvent, useId, useRef, useState } from 'react';
import { useQueryFailure } from '../../../base/web/queries/use-query-failure.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Form } from '../../../kit/web/forms/form.tsx';
import { SaveBar } from '../../../kit/web/forms/save-bar.tsx';
import { Section } from '../../../kit/web/layout/section.tsx';
import { ALLOWED_TYPES, memoryLimits } from '../../../memories/rules.ts';
import { checkEachFile, checkFiles } from '../../check-files.ts';
import { alertOf, canSave, isEditable, summarize, type UploadQueue, unsentOf } from '../../upload-queue.ts';
import { leftText, NOT_READY, saveText, unstoredPhotosText } from '../../upload-texts.ts';
import { CameraDialog } from '../camera/camera-dialog.tsx';
import { Outings } from '../outings/outings.tsx';
import type { Upload } from '../queue/use-uploader.ts';
import { UploadProgress } from '../upload-progress.tsx';
import { UploadRetry } from '../upload-retry.tsx';
import { DateChoice } from './date-choice.tsx';
import { EmptyMount } from './empty-mount.tsx';
import { SelectionSummary } from './selection-summary.tsx';
import { SortingNotice } from './sorting-notice.tsx';
import { UnsentNotice } from './unsent-notice.tsx';
import { UploadCard } from './upload-card.tsx';
import css from './upload-form.module.css';
import { useDroppedFiles } from './use-dropped-files.ts';
import { useSorting } from './use-sorting.ts';

export interface UploadFormProps {
  readonly upload: Upload;
  readonly dates: UseQueryResult<readonly PlannedDate[]>;
  /** The date in the page's address. */
  readonly dateInAddress: string | null;
  /** The target of 'Continue without them'. */
  readonly continueHref: string;
  readonly onStop: () => void;
  readonly onCancel: () => void;
  /** 'Continue without them'. */
  readonly onLeave: () => void;
}

/** The form to choose photographs, caption them, assign them to a date, and send them. */
export function UploadForm({ upload, dates, dateInAddress, continueHref, onStop, onCancel, onLeave }: UploadFormProps) {
  const { uploader, queue } = upload;
  const form = useRef<HTMLFormElement>(null);
  const dateField = useId();
  const [isCameraOpen, setCameraOpen] = useState(false);
  const failure = useQueryFailure(dates);
  const alerts = useAlerts(queue);
  const count = queue.items.length;
  const sorting = useSorting(upload, dates.data, dateInAddress === null);
  const countWithOwnDate = queue.items.filter(({ ownDateId }) => ownDateId !== null).length;
  const canRetry = !queue.isRunning && summarize(queue).failed > 0;

  const add = (files: readonly File[], isCaptured = false) => {
    // A photo from the camera exists nowhere else, so it is stored even if the upload is full.
    const { taken, error } = isCaptured ? checkEachFile(files) : checkFiles(files, uploader.queue.get().items.length);
    const left = uploader.addFiles(taken, isCaptured);
    alerts.tell(error ?? (left > 0 ? leftText(left) : null));
  };
  const save = (event?: FormEvent) => {
    event?.preventDefault();
    alerts.tell(canSave(queue) ? null : NOT_READY);
    uploader.start();
    if (!uploader.queue.get().isRunning) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  };
  const picker = usePicker(add, count > 0);

  return (
    <Form ref={form} className={css.form} onSubmit={save}>
      <Banner onDismiss={alerts.dismiss}>{alerts.text}</Banner>
      {upload.kept > 0 && !queue.isRunning && (
        <UnsentNotice count={upload.kept} onRestore={upload.restore} onDiscard={() => void upload.discard()} />
      )}
      {queue.isRunning && <UploadProgress queue={queue} onStop={onStop} />}
      {canRetry && <UploadRetry queue={queue} onRetry={save} continueHref={continueHref} onLeave={onLeave} />}
      <div>
        {picker.input}
        {count === 0 ? (
          <EmptyMount
            input={picker.id}
            hint={picker.hint}
            isOver={picker.isOver}
            onCamera={() => setCameraOpen(true)}
          />
        ) : (
          <SelectionSummary
            queue={queue}
            onAdd={picker.open}
            onCamera={() => setCameraOpen(true)}
            onClear={() => void upload.clear()}
          />
        )}
      </div>
      <p className={upload.unstored > 0 ? undefined : 'visually-hidden'} role="status">
        {upload.unstored > 0 && unstoredPhotosText(upload.unstored)}
      </p>
      <SortingNotice sorting={sorting} />
      {sorting.outings.length > 0 && <Outings sorting={sorting} upload={upload} />}
      {(count === 0 || countWithOwnDate < count) && (
        <DateChoice
          id={dateField}
          dates={dates.data ?? (failure ? null : undefined)}
          onRetry={() => failure?.retry()}
          value={queue.dateId}
          rest={countWithOwnDate > 0 ? count - countWithOwnDate : null}
          disabled={queue.isRunning}
          onChange={(dateId) => uploader.setDate(dateId)}
        />
      )}
      {count > 0 && (
        <Section title="Our Selected Photos" aside={`${count}/${memoryLimits.files}`}>
          <UploadCards upload={upload} dates={dates.data ?? []} />
        </Section>
      )}
      <UploadBar queue={queue} dateField={dateField} onCancel={onCancel} />
      {isCameraOpen && (
        <CameraDialog held={count} onCapture={(file) => add([file], true)} onClose={() => setCameraOpen(false)} />
      )}
    </Form>
  );
}

function UploadCards({ upload, dates }: Pick<ComponentProps<typeof UploadCard>, 'upload' | 'dates'>) {
  const { queue } = upload;
  return (
    <ul className={css.uploads}>
      {queue.items.map((item) => (
        <UploadCard key={item.id} item={item} upload={upload} dates={dates} isLocked={!isEditable(queue, item)} />
      ))}
    </ul>
  );
}

function UploadBar(props: { queue: UploadQueue; dateField: string; onCancel: () => void }) {
  const { queue, dateField, onCancel } = props;
  const { uploaded, total } = summarize(queue);
  const isDateMissing = queue.items.length > 0 && !queue.isRunning && !canSave(queue);
  return (
    <SaveBar
      always
      main={
        <Button type="submit" variant="primary" className="num" disabled={!canSave(queue)} aria-busy={queue.isRunning}>
          {queue.isRunning ? `Uploading ${uploaded}/${total}...` : saveText(unsentOf(queue).length)}
        </Button>
      }
      note={
        isDateMissing && (
          <>
            To save them,{' '}
            <a className={css.link} href={`#${dateField}`}>
              choose a date
            </a>
            .
          </>
        )
      }
    >
      <Button variant="text" disabled={queue.isRunning} onClick={onCancel}>
        Cancel
      </Button>
    </SaveBar>
  );
}

/** The alert at the top: errors of the selection, or how the last run ended. Each can be dismissed. */
function useAlerts(queue: UploadQueue) {
  const [selectionError, setSelectionError] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState<UploadQueue['items']>();
  const runAlert = dismissed === queue.items ? null : alertOf(queue);
  return {
    text: selectionError ?? runAlert,
    tell: setSelectionError,
    dismiss: () => {
      if (selectionError === null) setDismissed(queue.items);
      setSelectionError(null);
    },
  };
}

/** The file input, opened by the mount's label or 'Add More', and dropped or pasted files. */
function usePicker(onFiles: (files: readonly File[]) => void, isBehindSummary: boolean) {
  const id = useId();
  const hint = `${id}-hint`;
  const ref = useRef<HTMLInputElement>(null);
  const isOver = useDroppedFiles(onFiles);
  const input = (
    <input
      ref={ref}
      id={id}
      className="visually-hidden"
      type="file"
      multiple
      accept={ALLOWED_TYPES.join(',')}
      aria-label={isBehindSummary ? 'Choose photos' : undefined}
      aria-describedby={isBehindSummary ? undefined : hint}
      tabIndex={isBehindSummary ? -1 : undefined}
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])]);
        // Allows selecting the same file again after it was removed.
        event.target.value = '';
      }}
    />
  );
  return { id, hint, isOver, input, open: () => ref.current?.click() };
}
