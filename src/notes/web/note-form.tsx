import { useFormState, useWatch } from 'react-hook-form';
import { cleanText, countText } from '../../base/clean-text.ts';
import { cannotExceed, formErrors, textFault } from '../../base/form-errors.ts';
import { counter } from '../../base/web/forms/counter.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { Sending } from '../../kit/web/forms/form.tsx';
import { TextArea } from '../../kit/web/forms/text-area.tsx';
import { useSubmitForm } from '../../kit/web/forms/use-submit-form.ts';
import { Actions } from '../../kit/web/layout/actions.tsx';
import { noteLimits } from '../rules.ts';
import { HeartsField } from './hearts.tsx';
import type { NoteDraft } from './note-draft.ts';
import css from './note-form.module.css';

export interface NoteFormProps {
  readonly initial: NoteDraft;
  /** Says what happens to the note. */
  readonly hint: string;
  /** The label of the button. */
  readonly verb: string;
  /** Called with each change, to keep it on this device. */
  readonly onType: (draft: NoteDraft) => void;
  /** Rejects with an ApiError. */
  readonly onSeal: (note: NoteDraft) => Promise<unknown>;
  /** Leaves the sealed note as it is; null if there is none. */
  readonly onCancel: (() => void) | null;
}

const NOTE = { name: 'Note', required: true, max: cannotExceed('Note', noteLimits.text) } as const;

/** The form for the user's own note. What is typed is a draft until it is sealed. */
export function NoteForm({ initial, hint, verb, onType, onSeal, onCancel }: NoteFormProps) {
  const { form, formProps, isSending, failure, dismiss } = useSubmitForm<NoteDraft, unknown>({
    mode: 'onSubmit',
    defaultValues: initial,
    faults: ({ text }) => formErrors<NoteDraft>({ text: textFault(text, NOTE) }),
    // It also does what follows: the form may be gone then, because an opened note is a letter.
    send: ({ text, hearts }) => onSeal({ text: cleanText(text), hearts }),
    onSuccess: () => undefined,
    explain: ({ isUnanswered, serverMessage }) =>
      isUnanswered
        ? 'We could not reach our album. Your note is not sealed yet.'
        : (serverMessage ?? 'Failed to seal your note. Please try again.'),
  });
  const { control } = form;
  const { errors } = useFormState({ control });
  const [text, hearts] = useWatch({ control, name: ['text', 'hearts'] });
  const length = counter(countText(text), noteLimits.text);
  const tell = () => onType(form.getValues());
  const { sending, ...events } = formProps;
  return (
    <form className={css.form} noValidate aria-label="My note" {...events}>
      <Sending value={sending}>
        <Banner onDismiss={dismiss} more="What you wrote is kept on this device.">
          {failure}
        </Banner>
        <TextArea
          italic
          rows={6}
          className={css.paper}
          label="My note"
          placeholder="One thing I don’t want to lose."
          hint={hint}
          error={errors.text?.message ?? (length.over ? textFault(text, NOTE) : undefined)}
          {...length}
          {...form.register('text', { onChange: tell })}
        />
        <HeartsField
          value={hearts}
          onChange={(next) => {
            form.setValue('hearts', next);
            tell();
          }}
        />
        <Actions>
          <Button type="submit" variant="primary" busy={isSending}>
            {verb}
          </Button>
          {onCancel && (
            <Button variant="text" onClick={onCancel}>
              Leave it as it was
            </Button>
          )}
        </Actions>
      </Sending>
    </form>
  );
}
