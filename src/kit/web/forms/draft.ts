import { useEffect, useEffectEvent, useState } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { type DraftReader, dropDraft, findDraft, openDraft } from '../../../base/web/draft-store.ts';
import { useNotify } from '../feedback/notices.tsx';

/**
 * Saves a half-filled form when the session ends, and restores it for the same user.
 * @returns the ETag of the version that a restored draft is based on; undefined if nothing was restored
 */
export function useDraft<Form extends FieldValues>(
  form: UseFormReturn<Form>,
  owner: string,
  etag: string | null = null,
): string | null | undefined {
  const [draft] = useState(() => findDraft(owner));
  const notify = useNotify();
  const { isDirty } = useFormState({ control: form.control });
  const read = useEffectEvent<DraftReader>(() => (isDirty ? { typed: form.getValues(), etag } : null));
  const restore = useEffectEvent(() => {
    dropDraft();
    if (draft === null) return;
    form.reset({ ...form.getValues(), ...(draft.typed as Form) }, { keepDefaultValues: true });
    notify.status('We restored what you had written.');
  });
  useEffect(() => {
    restore();
    return openDraft(() => read());
  }, []);
  return draft?.etag;
}
