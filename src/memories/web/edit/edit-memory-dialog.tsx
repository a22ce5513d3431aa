import { useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { countText } from '../../../base/clean-text.ts';
import { mediumDate } from '../../../base/date-formats.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { clock } from '../../../base/web/device/now.ts';
import { counter } from '../../../base/web/forms/counter.ts';
import { FormDataLoader } from '../../../base/web/forms/form-data-loader.tsx';
import { registerWithLateBlur } from '../../../base/web/forms/register-with-late-blur.ts';
import { useDates } from '../../../dates/web/queries.ts';
import { Photo } from '../../../kit/web/album/photo.tsx';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { useDialog } from '../../../kit/web/feedback/dialog.tsx';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { DialogActions, SheetDialog } from '../../../kit/web/feedback/sheet-dialog.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { DateTimeField } from '../../../kit/web/forms/date-time-field.tsx';
import { Fields, Form } from '../../../kit/web/forms/form.tsx';
import { SelectField } from '../../../kit/web/forms/select-field.tsx';
import { StaleEdit } from '../../../kit/web/forms/stale-edit.tsx';
import { TextArea } from '../../../kit/web/forms/text-area.tsx';
import { abandonDraft } from '../../../kit/web/forms/use-draft.ts';
import { useVersionedEdit, type Versioned } from '../../../kit/web/forms/use-versioned-edit.ts';
import type { Memory } from '../../contract.ts';
import { datesToMoveTo, memoryBody, memoryErrors, memoryFormOf } from '../../edit-form.ts';
import { dateLabel, dateName } from '../../gallery-texts.ts';
import { memoryLimits } from '../../rules.ts';
import { blurOf } from '../blur.ts';
import { shownRatio } from '../gallery/lay-out-rows.ts';
import css from './edit-memory-dialog.module.css';
import { useFreshMemory, useMemoryToEdit, useUpdateMemory } from './edit-queries.ts';

export interface EditMemoryDialogProps {
  readonly memoryId: string;
  /** Runs once it is closed. @param isSaved whether the memory was changed */
  readonly onClose: (isSaved: boolean) => void;
}

/** 'Edit Memory': corrects the caption, the date and the time of a memory (memories.edit.5). */
export function EditMemoryDialog({ memoryId, onClose }: EditMemoryDialogProps) {
  const dialog = useDialog();
  const [isSaved, setSaved] = useState(false);
  const query = useMemoryToEdit(memoryId);
  const close = () => dialog.current?.close();
  return (
    <SheetDialog
      ref={dialog}
      title="Edit Memory"
      className={css.dialog}
      onClose={() => {
        abandonDraft();
        onClose(isSaved);
      }}
    >
      <FormDataLoader
        query={query}
        loading={<Loading message="Loading memory..." />}
        error={({ status }, retry) => (
          <ErrorCard title={null} level={3} onRetry={retry} actions={<Button onClick={close}>Cancel</Button>}>
            {status === 404 ? 'This memory is no longer in our album.' : 'Failed to load memory. Please try again.'}
          </ErrorCard>
        )}
      >
        {(opened) => (
          <EditMemory
            opened={opened}
            onCancel={close}
            onSaved={() => {
              setSaved(true);
              // After the state, so that the dialog's end knows of it.
              queueMicrotask(close);
            }}
          />
        )}
      </FormDataLoader>
    </SheetDialog>
  );
}

interface EditMemoryProps {
  readonly opened: Versioned<Memory>;
  readonly onCancel: () => void;
  readonly onSaved: () => void;
}

function EditMemory({ opened, onCancel, onSaved }: EditMemoryProps) {
  const zone = deviceZone();
  const { data: dates = [] } = useDates();
  const edit = useMemoryEdit(opened, onSaved);
  const { form, base } = edit;
  const register = registerWithLateBlur(form);
  const { errors, isValid } = useFormState({ control: form.control });
  const [caption, takenAt] = useWatch({ control: form.control, name: ['caption', 'takenAt'] });
  const dirty = { shouldDirty: true, shouldTouch: true, shouldValidate: true };
  const choices = datesToMoveTo(dates, base.plannedDateId);
  return (
    <>
      <StaleEdit
        edit={edit}
        differences={({ caption, plannedDateId, takenAt }) => [
          { label: 'Caption', value: caption, changed: caption !== base.caption },
          {
            label: 'Date',
            value: dateName(dates, plannedDateId, zone),
            changed: plannedDateId !== base.plannedDateId,
          },
          {
            label: 'Taken',
            value: takenAt && mediumDate(Date.parse(takenAt), zone),
            changed: takenAt !== base.takenAt,
          },
        ]}
      />
      <PrintOf memory={base} />
      <Form {...edit.formProps} className={css.form} aria-label="Edit Memory">
        <Banner onDismiss={edit.dismiss} more="What you wrote is still here.">
          {edit.failure}
        </Banner>
        <Fields>
          <TextArea
            label="Caption"
            optional
            italic
            rows={2}
            error={errors.caption?.message}
            {...counter(countText(caption), memoryLimits.caption, '/')}
            {...register('caption')}
          />
          <SelectField label="Date" required {...register('plannedDateId')}>
            {!choices.some(({ id }) => id === base.plannedDateId) && <option value={base.plannedDateId}>Date</option>}
            {choices.map((date) => (
              <option key={date.id} value={date.id}>
                {dateLabel(date, zone)}
              </option>
            ))}
          </SelectField>
          <DateTimeField
            label="Taken"
            optional
            hint={takenAt === '' ? 'The photograph’s own time, if it has one.' : undefined}
            error={errors.takenAt?.message}
            {...register('takenAt')}
          />
        </Fields>
        <p className={css.own}>
          <Button variant="text" flush disabled={takenAt === ''} onClick={() => form.setValue('takenAt', '', dirty)}>
            Use the Photograph's Own Time
          </Button>
        </p>
        <DialogActions className={css.actions}>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={!isValid} busy={edit.isSending}>
            Save Changes
          </Button>
        </DialogActions>
      </Form>
    </>
  );
}

/** The photograph that is corrected. */
function PrintOf({ memory }: { memory: Memory }) {
  const { thumbnailUrl, thumbHash, width, height } = memory;
  return (
    <span className={css.print} style={{ '--ar': shownRatio(memory).toFixed(4) }}>
      <Photo src={thumbnailUrl} width={width} height={height} blur={() => blurOf(thumbHash)} eager />
    </span>
  );
}

function useMemoryEdit(opened: Versioned<Memory>, onSaved: () => void) {
  const { id } = opened.entity;
  const zone = deviceZone();
  const updateMemory = useUpdateMemory(id);
  return useVersionedEdit({
    opened,
    owner: useUser().id,
    draft: `/memories/${id}/edit`,
    formOf: (memory) => memoryFormOf(memory, zone),
    faults: (form, base) => memoryErrors(form, base, clock(), zone),
    save: (form, base, ifMatch) => updateMemory({ body: memoryBody(form, base, zone), ifMatch }),
    fetchNow: useFreshMemory(id),
    explain: ({ status, serverMessage }) => {
      if (status === 404) return 'This memory, or the date that you chose, was deleted.';
      return serverMessage ?? 'Failed to update memory. Please try again.';
    },
    onSaved,
  });
}
