import { useEffect, useEffectEvent, useState } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { type DraftReader, openDraft, putDraft } from '../../../base/web/draft-store.ts';
import { dropDraft, findDraft } from '../../../base/web/stored-draft.ts';
import { useNotify } from '../feedback/notices.tsx';

let abandonOpenForm = () => {};

/** Stops keeping the open form: it was saved, or the user chose to lose it. */
export function abandonDraft(): void {
  abandonOpenForm();
}

/**
 * Saves a half-filled form when the session ends, when the page is hidden or unloaded, or when a step in the history
 * leaves it unasked, and restores it for the same user.
 * @param etag the version that is edited: a restored draft's own, until another version is taken
 */
export function useDraft<Form extends FieldValues>(
  form: UseFormReturn<Form>,
  owner: string,
  etag: string | null = null,
): void {
  const [draft] = useState(() => findDraft(owner));
  const notify = useNotify();
  const { isDirty } = useFormState({ control: form.control });
  const read = useEffectEvent<DraftReader>(() => (isDirty ? { typed: form.getValues(), etag } : null));
  const restore = useEffectEvent(() => {
    if (draft === null) return;
    dropDraft(draft.path);
    form.reset({ ...form.getValues(), ...(draft.typed as Form) }, { keepDefaultValues: true });
    if (draft.call !== undefined) void dropRefusedCall(draft.call);
    notify.status('We restored what you had written.');
  });
  const keep = useEffectEvent((path: string) => {
    const open = read();
    if (open !== null) putDraft({ owner, path, ...open });
  });
  useEffect(() => {
    restore();
    const keeping = keepWhenLeft((path) => keep(path));
    const close = openDraft(() => read());
    abandonOpenForm = keeping.abandon;
    return () => {
      keeping.close();
      close();
      abandonOpenForm = () => {};
    };
  }, []);
}

/** Removes the call that the form has taken over. If that fails, the list of what waits shows it once more. */
async function dropRefusedCall(id: string): Promise<void> {
  await import('../../../base/web/outbox.ts').then(({ dropCall }) => dropCall(id)).catch(() => undefined);
}

/**
 * Calls `keep` with the form's path when the page is hidden, since it may be discarded then, when it is unloaded, and
 * when a step in the history has removed the form. What is kept for a page that is shown again, or for a form that is
 * left on purpose, is dropped.
 * @returns `abandon` ends that and drops what is kept, `close` is for the form's end
 */
function keepWhenLeft(keep: (path: string) => void): { abandon: () => void; close: () => void } {
  const path = location.pathname;
  const listening = new AbortController();
  const { signal } = listening;
  const follow = () => (document.hidden ? keep(path) : dropDraft(path));
  const abandon = () => {
    listening.abort();
    dropDraft(path);
  };
  document.addEventListener('visibilitychange', follow, { signal });
  window.addEventListener('pagehide', () => keep(path), { signal });
  // The browser may have kept the page while another one was shown.
  window.addEventListener('pageshow', follow, { signal });
  // A link or the app itself leaves the form: the router dispatches these events, but none for a step in the history.
  for (const type of ['pushState', 'replaceState']) {
    window.addEventListener(type, () => location.pathname !== path && abandon(), { signal });
  }
  const close = () => {
    if (!signal.aborted && location.pathname !== path) keep(path);
    listening.abort();
  };
  return { abandon, close };
}
