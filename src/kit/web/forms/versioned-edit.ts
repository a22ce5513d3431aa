import { useState } from 'react';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import type { FormErrors } from '../../../base/form.ts';
import { submit, useFormProps, verdictResolver } from '../../../base/web/forms/form.ts';
import { withCompleteTimes } from '../../../base/web/forms/with-complete-times.ts';
import type { ApiError } from '../../../base/web/net/api-error.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { useNotify } from '../feedback/notices.tsx';
import { abandonDraft, useDraft } from './draft.ts';

/** An entity with its ETag, which the form sends back as `If-Match`. */
export interface Versioned<T> {
  readonly entity: T;
  readonly etag: string | null;
}

export interface VersionedEditOptions<T, Form extends FieldValues> {
  /** The version that the form opens with. */
  readonly opened: Versioned<T>;
  /** The id of the user, so that a draft is restored only for them. */
  readonly owner: string;
  /** The name of the draft, if the form isn't the only one at its path. */
  readonly draft?: string;
  readonly formOf: (entity: T) => Form;
  /** Fields that keep what was typed when the partner's version is taken. */
  readonly keep?: readonly (keyof Form)[];
  readonly verdict: (form: Form, base: T) => FormErrors<Form>;
  /** Saves the form over the version with the ETag `ifMatch`. */
  readonly save: (form: Form, base: T, ifMatch: string | null) => Promise<unknown>;
  /** Fetches the current version. */
  readonly fetchNow: () => Promise<Versioned<T>>;
  /** The message for a failure. */
  readonly explain: (error: ApiError) => string;
  readonly onSaved: () => void;
}

/**
 * A form for an entity that two people may edit. It sends the ETag of the version it opened with as `If-Match`. On 412
 * it keeps what was typed and returns the partner's version as `theirs`, until the user chooses one.
 */
export function useVersionedEdit<T, Form extends FieldValues>(options: VersionedEditOptions<T, Form>) {
  const { opened, owner, draft, formOf, keep = [], verdict, save, fetchNow, explain, onSaved } = options;
  const [base, setBase] = useState(opened);
  const [theirs, setTheirs] = useState<Versioned<T> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const notify = useNotify();
  const form = useForm<Form>({
    defaultValues: formOf(base.entity) as DefaultValues<Form>,
    resolver: withCompleteTimes(verdictResolver((values) => verdict(values, base.entity))),
    mode: 'all',
  });
  // A draft is based on the version that it was written over, not on the current one.
  useDraft(form, owner, base.etag, (etag) => setBase({ ...opened, etag }), draft);

  const sendOver = (version: Versioned<T>) => async (values: Form) => {
    setFailure(null);
    try {
      await save(values, version.entity, version.etag);
      abandonDraft();
      onSaved();
    } catch (error) {
      const refused = asApiError(error);
      if (refused.status !== 412) return setFailure(explain(refused));
      await fetchNow().then(setTheirs, (lost: unknown) => setFailure(explain(asApiError(lost))));
    }
  };
  const takeTheirs = () => {
    if (theirs === null) return;
    setBase(theirs);
    const typed = Object.entries(form.getValues()).filter(([field]) => keep.includes(field));
    form.reset(formOf(theirs.entity));
    form.reset({ ...formOf(theirs.entity), ...Object.fromEntries(typed) }, { keepDefaultValues: true });
    setTheirs(null);
    setFailure(null);
    notify.status('The form now shows their version.');
  };
  return {
    form,
    base: base.entity,
    theirs: theirs?.entity ?? null,
    failure,
    dismiss: () => setFailure(null),
    formProps: useFormProps(form, sendOver(base)),
    overwrite: () => theirs !== null && submit(form, sendOver(theirs)),
    takeTheirs,
  };
}
