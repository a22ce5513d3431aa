import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { dropCall } from '../../../base/web/storage/outbox.ts';
import { hasPageSessionEnded } from '../../../base/web/storage/page-session-end.ts';
import { type Draft, putDraft } from '../../../base/web/storage/stored-draft.ts';
import { dropWords, findWords } from '../../../base/web/storage/words.ts';
import { useNotify } from '../feedback/notices.tsx';

const LINKS = ['pushState', 'replaceState'];

let abandonOpenForm = () => {};

/** Drops what the open form has stored: it was saved, or the user chose to lose it. */
export function abandonDraft(): void {
  abandonOpenForm();
}

/**
 * Stores a half-filled form on this device as it is typed, and restores it when the form opens again, until it is saved
 * or left on purpose.
 * @param etag the version that is edited
 * @param onRestored called with the version that the restored draft was written over
 * @param name the name of the draft, if the form isn't the only one at its path
 */
export function useDraft<Form extends FieldValues>(
  form: UseFormReturn<Form>,
  owner: string,
  etag: string | null = null,
  onRestored: (etag: string | null) => void = () => undefined,
  name: string | null = null,
): void {
  const [path] = useState(() => location.pathname);
  const place = name ?? path;
  const notify = useNotify();
  const { isDirty, dirtyFields } = useFormState({ control: form.control });
  const isStored = useRef(false);
  const isAbandoned = useRef(false);
  const keep = useEffectEvent(() => {
    if (!isDirty || isAbandoned.current) return;
    isStored.current = true;
    void putDraft(owner, place, { values: form.getValues(), etag });
  });
  const drop = useEffectEvent(() => {
    if (isStored.current) void dropWords(owner, place).catch(() => undefined);
    isStored.current = false;
  });
  const restore = useEffectEvent((draft: Draft) => {
    const now: Readonly<Record<string, unknown>> = form.getValues();
    isStored.current = true;
    // It was saved, and only the answer did not arrive.
    if (Object.entries(draft.values).every(([field, value]) => now[field] === value)) return drop();
    // What was typed before the draft was read stays.
    const typed = Object.fromEntries(Object.entries(now).filter(([field]) => field in dirtyFields));
    onRestored(draft.etag);
    form.reset({ ...now, ...draft.values, ...typed } as Form, { keepDefaultValues: true });
    // If that fails, the list of what waits shows the call once more.
    if (draft.call !== undefined) void dropCall(draft.call).catch(() => undefined);
    notify.status('We restored what you had written.');
  });
  useEffect(() => {
    let isClosed = false;
    void findWords<Draft>(owner, place).then((draft) => {
      if (draft !== null && !isClosed && !isAbandoned.current) restore(draft);
    });
    abandonOpenForm = () => {
      isAbandoned.current = true;
      isStored.current = true;
      drop();
    };
    // A link or the app itself leaves the form: the router dispatches these events, but none for a step in the history.
    const onLink = () => location.pathname !== path && !hasPageSessionEnded() && abandonOpenForm();
    for (const type of LINKS) window.addEventListener(type, onLink);
    return () => {
      isClosed = true;
      abandonOpenForm = () => {};
      for (const type of LINKS) window.removeEventListener(type, onLink);
    };
  }, [owner, path, place]);
  useEffect(() => form.subscribe({ formState: { values: true }, callback: () => keep() }), [form]);
  useEffect(() => (isDirty ? keep() : drop()), [isDirty]);
}
