import { useState } from 'react';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import type { FormErrors } from '../../../base/form.ts';
import type { ApiError } from '../../../base/web/api.ts';
import { asApiError } from '../../../base/web/async.tsx';
import { withCompleteTimes } from '../../../base/web/complete-times.ts';
import { submits, verdictResolver } from '../../../base/web/form.ts';
import { useNotify } from '../feedback/notices.tsx';
import { useDraft } from './draft.ts';

/** A thing with its version, which a form sends back as `If-Match` (contract 1, Editing by two people). */
export interface Versioned<T> {
  readonly thing: T;
  readonly etag: string | null;
}

export interface VersionedEditOptions<T, Form extends FieldValues> {
  /** The version that the form opens with. */
  readonly opened: Versioned<T>;
  /** Who writes, so that a draft is given back to nobody else. */
  readonly owner: string;
  readonly formOf: (thing: T) => Form;
  /** Fields that stay as typed when theirs is taken. */
  readonly keep?: readonly (keyof Form)[];
  readonly verdict: (form: Form, base: T) => FormErrors<Form>;
  /** Saves what stands in the form over the version named by `ifMatch`. */
  readonly save: (form: Form, base: T, ifMatch: string | null) => Promise<unknown>;
  /** The version that stands now. */
  readonly fetchNow: () => Promise<Versioned<T>>;
  /** What is said of a failure. */
  readonly explain: (error: ApiError) => string;
  readonly onSaved: () => void;
}

/**
 * A form over a thing that two people may edit: it keeps to the version it was opened with, sends that as `If-Match`,
 * and on 412 holds `theirs` against what was typed, until one is chosen. A failure loses nothing typed.
 */
export function useVersionedEdit<T, Form extends FieldValues>(options: VersionedEditOptions<T, Form>) {
  const { opened, owner, formOf, keep = [], verdict, save, fetchNow, explain, onSaved } = options;
  const [base, setBase] = useState(opened);
  const [theirs, setTheirs] = useState<Versioned<T> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const notify = useNotify();
  const form = useForm<Form>({
    defaultValues: formOf(base.thing) as DefaultValues<Form>,
    resolver: withCompleteTimes(verdictResolver((values) => verdict(values, base.thing))),
    mode: 'all',
  });
  const drafted = useDraft(form, owner, base.etag);

  const sendOver = (version: Versioned<T>) => async (values: Form) => {
    setFailure(null);
    try {
      await save(values, version.thing, version.etag);
      onSaved();
    } catch (error) {
      const refused = asApiError(error);
      if (refused.status !== 412) return setFailure(explain(refused));
      await fetchNow().then(setTheirs, (lost: unknown) => setFailure(explain(asApiError(lost))));
    }
  };
  // A draft builds on the version it was written over, not on the one that stands now.
  const built = drafted === undefined || base !== opened ? base : { ...base, etag: drafted };
  const takeTheirs = () => {
    if (theirs === null) return;
    setBase(theirs);
    const typed = Object.entries(form.getValues()).filter(([field]) => keep.includes(field));
    form.reset(formOf(theirs.thing));
    form.reset({ ...formOf(theirs.thing), ...Object.fromEntries(typed) }, { keepDefaultValues: true });
    setTheirs(null);
    setFailure(null);
    notify.status('Their version stands in the form now.');
  };
  return {
    form,
    base: base.thing,
    theirs: theirs?.thing ?? null,
    failure,
    dismiss: () => setFailure(null),
    handlers: submits(form, sendOver(built)).handlers,
    overwrite: () => theirs !== null && submits(form, sendOver(theirs)).submit(),
    takeTheirs,
  };
}
