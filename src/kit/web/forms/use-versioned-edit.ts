import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import type { FormErrors } from '../../../base/form-errors.ts';
import { type ApiError, asApiError } from '../../../base/web/net/api-error.ts';
import { useNotify } from '../feedback/notices.tsx';
import { useKeptForm } from './use-kept-form.ts';

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
  /** Whether the user is asked before leaving the form with unsaved changes. */
  readonly isGuarded?: boolean;
  readonly formOf: (entity: T) => Form;
  /** Fields that keep what was typed when the partner's version is taken. */
  readonly keep?: readonly (keyof Form)[];
  readonly faults: (form: Form, base: T) => FormErrors<Form>;
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
  const {
    opened,
    owner,
    draft,
    isGuarded = false,
    formOf,
    keep = [],
    faults,
    save,
    fetchNow,
    explain,
    onSaved,
  } = options;
  const [base, setBase] = useState(opened);
  const [theirs, setTheirs] = useState<Versioned<T> | null>(null);
  const notify = useNotify();
  const fetching = useMutation({
    mutationFn: fetchNow,
    onSuccess: setTheirs,
    onError: (error) => setFailure(explain(asApiError(error))),
  });
  const saveOver = (version: Versioned<T>) => (values: Form) => save(values, version.entity, version.etag);
  const { form, formProps, isSending, submitBy, failure, setFailure, dismiss } = useKeptForm<Form, unknown>({
    owner,
    ...(draft !== undefined && { draft }),
    isGuarded,
    // A draft is based on the version that it was written over, not on the current one.
    etag: base.etag,
    onRestored: (etag) => setBase({ ...opened, etag }),
    defaultValues: formOf(base.entity) as DefaultValues<Form>,
    faults: (values) => faults(values, base.entity),
    send: saveOver(base),
    onSuccess: onSaved,
    explain: (error) => {
      if (error.status !== 412) return explain(error);
      fetching.mutate();
      return null;
    },
  });
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
  const isBusy = isSending || fetching.isPending;
  return {
    form,
    formProps: { ...formProps, sending: isBusy },
    isSending: isBusy,
    base: base.entity,
    theirs: theirs?.entity ?? null,
    failure,
    dismiss,
    overwrite: () => theirs !== null && submitBy(saveOver(theirs)),
    takeTheirs,
  };
}
