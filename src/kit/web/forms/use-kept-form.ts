import { type FieldValues, useFormState } from 'react-hook-form';
import { useDraft } from './use-draft.ts';
import { type SubmitFormOptions, useSubmitForm } from './use-submit-form.ts';
import { useUnsavedChanges } from './use-unsaved-changes.ts';

export interface KeptFormOptions<Values extends FieldValues, Reply> extends SubmitFormOptions<Values, Reply> {
  /** The id of the user, so that what was typed is restored only for them. */
  readonly owner: string;
  /** The name of the draft, if the form isn't the only one at its path. */
  readonly draft?: string;
  /** Whether the user is asked before leaving the form with unsaved changes. */
  readonly isGuarded: boolean;
  /** The version that is edited. */
  readonly etag?: string | null;
  /** Called with the version over which a restored draft was written. */
  readonly onRestored?: (etag: string | null) => void;
}

/**
 * A form that loses no words: what is typed is stored on this device until it is saved or left on purpose. `release`
 * lifts the question before the form is left in another way.
 */
export function useKeptForm<Values extends FieldValues, Reply>({
  owner,
  draft,
  isGuarded,
  etag,
  onRestored,
  onSuccess,
  ...options
}: KeptFormOptions<Values, Reply>) {
  const submitForm = useSubmitForm({
    ...options,
    onSuccess: (reply: Reply, values: Values, form) => {
      release();
      onSuccess(reply, values, form);
    },
  });
  const { isDirty } = useFormState({ control: submitForm.form.control });
  const release = useUnsavedChanges(isDirty && isGuarded);
  useDraft(submitForm.form, owner, etag, onRestored, draft);
  return { ...submitForm, release };
}
