import { type FormEvent, useRef, useState } from 'react';
import { cannotExceed, textFault } from '../../base/form.ts';
import { cleanText, countText } from '../../base/text.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { Sending } from '../../kit/web/forms/fields.tsx';
import { TextArea } from '../../kit/web/forms/text-area.tsx';
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

function faultOf(text: string): string | undefined {
  return textFault(text, { name: 'Note', required: true, max: cannotExceed('Note', noteLimits.text) });
}

/** The form for the user's own note. What is typed is a draft until it is sealed. */
export function NoteForm({ initial, hint, verb, onType, onSeal, onCancel }: NoteFormProps) {
  const [typed, setTyped] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, hearts } = typed;
  const length = countText(text);
  const fault = faultOf(text);
  const type = (change: Partial<NoteDraft>) => {
    const next = { ...typed, ...change };
    setTyped(next);
    onType(next);
  };
  const seal = async (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (fault !== undefined) {
      field.current?.focus();
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await onSeal({ text: cleanText(text), hearts });
    } catch (error) {
      const { isUnanswered, serverMessage } = asApiError(error);
      setFailure(
        isUnanswered
          ? 'We could not reach our album. Your note is not sealed yet.'
          : (serverMessage ?? 'Failed to seal your note. Please try again.'),
      );
      setBusy(false);
    }
  };
  return (
    <form className={css.form} noValidate aria-label="My note" onSubmit={(event) => void seal(event)}>
      <Sending value={isBusy}>
        <Banner onDismiss={() => setFailure(null)} more="What you wrote is kept on this device.">
          {failure}
        </Banner>
        <TextArea
          ref={field}
          felt
          rows={6}
          className={css.paper}
          label="My note"
          placeholder="One thing I don’t want to lose."
          hint={hint}
          error={isChecked || length > noteLimits.text ? fault : undefined}
          counter={`${length} / ${noteLimits.text}`}
          over={length > noteLimits.text}
          value={text}
          onChange={(event) => type({ text: event.target.value })}
        />
        <HeartsField value={hearts} onChange={(next) => type({ hearts: next })} />
        <Actions>
          <Button type="submit" variant="primary" busy={isBusy}>
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
