import type { UseQueryResult } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { useAlive } from '../../../base/web/alive.tsx';
import type { PlannedDate } from '../../../dates/contract.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Form } from '../../../kit/web/forms/fields.tsx';
import { SaveBar } from '../../../kit/web/forms/save-bar.tsx';
import { Section } from '../../../kit/web/layout/section.tsx';
import { ALLOWED_TYPES, memoryLimits } from '../../../memories/rules.ts';
import { checkEachFile, checkFiles, leftText, NOT_READY, saveText } from '../../selection.ts';
import { alertOf, canSave, figuresOf, isOpen, type UploadQueue, unsentOf } from '../../upload-queue.ts';
import { CameraDialog } from '../camera/camera-dialog.tsx';
import type { Upload } from '../queue/use-uploader.ts';
import { UploadProgress, UploadRetry } from '../upload-progress.tsx';
import { ChosenSummary } from './chosen-summary.tsx';
import { DateChoice } from './date-choice.tsx';
import { DropZone } from './drop-zone.tsx';
import { KeptNotice } from './kept-notice.tsx';
import { SortingNotice } from './sorting-notice.tsx';
import { UploadCard } from './upload-card.tsx';
import css from './upload-form.module.css';
import { useDroppedFiles } from './use-dropped-files.ts';
import { useSorting } from './use-sorting.ts';

export interface UploadFormProps {
  readonly upload: Upload;
  readonly dates: UseQueryResult<readonly PlannedDate[]>;
  /** The date with which the page was opened. */
  readonly opened: string | null;
  /** Where 'Continue without them' leads. */
  readonly on: string;
  readonly onStop: () => void;
  readonly onCancel: () => void;
}

/** Choosing, captioning, dating and sending photographs. */
export function UploadForm({ upload, dates, opened, on, onStop, onCancel }: UploadFormProps) {
  const { uploader, queue } = upload;
  const form = useRef<HTMLFormElement>(null);
  const dateField = useId();
  const [camera, setCamera] = useState(false);
  const alerts = useAlerts(queue);
  const count = queue.items.length;
  const sorting = useSorting(upload, dates.data, opened === null);
  const apart = queue.items.filter(({ ownDateId }) => ownDateId !== null).length;
  const retry = !queue.running && figuresOf(queue).failed > 0;

  const add = (files: readonly File[], captured = false) => {
    // A shot of the camera exists nowhere else: where there is no room for it, it stays kept.
    const { taken, error } = captured ? checkEachFile(files) : checkFiles(files, uploader.queue().items.length);
    const left = uploader.choose(taken, captured);
    alerts.tell(error ?? (left > 0 ? leftText(left) : null));
  };
  const save = (event?: FormEvent) => {
    event?.preventDefault();
    alerts.tell(canSave(queue) ? null : NOT_READY);
    uploader.start();
    if (!uploader.queue().running) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  };
  const picker = usePicker(add, count > 0);

  return (
    <Form ref={form} className={css.form} onSubmit={save}>
      <Banner onDismiss={alerts.dismiss}>{alerts.text}</Banner>
      {upload.kept > 0 && !queue.running && (
        <KeptNotice count={upload.kept} onRestore={upload.restore} onDiscard={upload.discard} />
      )}
      {queue.running && <UploadProgress queue={queue} onStop={onStop} />}
      {retry && <UploadRetry queue={queue} onRetry={save} on={on} onLeave={() => uploader.giveUpFailed()} />}
      <div>
        {picker.input}
        {count === 0 ? (
          <DropZone input={picker.id} hint={picker.hint} over={picker.over} onCamera={() => setCamera(true)} />
        ) : (
          <ChosenSummary
            queue={queue}
            onAdd={picker.open}
            onCamera={() => setCamera(true)}
            onClear={() => uploader.clear()}
          />
        )}
      </div>
      <SortingNotice sorting={sorting} />
      {(count === 0 || apart < count) && (
        <DateChoice
          id={dateField}
          dates={dates.data ?? (dates.isError && !dates.isFetching ? null : undefined)}
          onRetry={() => void dates.refetch()}
          value={queue.dateId}
          rest={apart > 0 ? count - apart : null}
          disabled={queue.running}
          onChange={(dateId) => uploader.date(dateId)}
        />
      )}
      {count > 0 && (
        <Section title="Our Selected Photos" aside={`${count}/${memoryLimits.files}`}>
          <ul className={css.uploads}>
            {queue.items.map((item) => (
              <UploadCard
                key={item.id}
                item={item}
                uploader={uploader}
                dates={dates.data ?? []}
                locked={!isOpen(queue, item)}
              />
            ))}
          </ul>
        </Section>
      )}
      <UploadBar queue={queue} dateField={dateField} onCancel={onCancel} />
      {camera && <CameraDialog held={count} onCapture={(file) => add([file], true)} onClose={() => setCamera(false)} />}
    </Form>
  );
}

function UploadBar(props: { queue: UploadQueue; dateField: string; onCancel: () => void }) {
  const { queue, dateField, onCancel } = props;
  const { uploaded, total } = figuresOf(queue);
  const undated = queue.items.length > 0 && !queue.running && !canSave(queue);
  return (
    <SaveBar
      always
      main={
        <Button type="submit" variant="primary" className="num" disabled={!canSave(queue)} aria-busy={queue.running}>
          {queue.running ? `Uploading ${uploaded}/${total}...` : saveText(unsentOf(queue).length)}
        </Button>
      }
      note={
        undated && (
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
      <Button variant="text" disabled={queue.running} onClick={onCancel}>
        Cancel
      </Button>
    </SaveBar>
  );
}

/** The alert on top: what is wrong with what was chosen, or how the last run ended. Each can be put away. */
function useAlerts(queue: UploadQueue) {
  const [told, setTold] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState<UploadQueue['items']>();
  const ending = dismissed === queue.items ? null : alertOf(queue);
  return {
    text: told ?? ending,
    tell: setTold,
    dismiss: () => {
      if (told === null) setDismissed(queue.items);
      setTold(null);
    },
  };
}

/** The file input, hidden behind the mount's label and behind 'Add More', and what is dropped or pasted. */
function usePicker(onFiles: (files: readonly File[]) => void, behind: boolean) {
  const id = useId();
  const hint = `${id}-hint`;
  const ref = useRef<HTMLInputElement>(null);
  const over = useDroppedFiles(onFiles);
  // Nothing is chosen in a page that would not hear of it.
  const input = useAlive() && (
    <input
      ref={ref}
      id={id}
      className="visually-hidden"
      type="file"
      multiple
      accept={ALLOWED_TYPES.join(',')}
      aria-label={behind ? 'Choose photos' : undefined}
      aria-describedby={behind ? undefined : hint}
      tabIndex={behind ? -1 : undefined}
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])]);
        // The same file may be chosen again after it was taken out.
        event.target.value = '';
      }}
    />
  );
  return { id, hint, over, input, open: () => ref.current?.click() };
}
