import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Announcement } from '../../kit/web/feedback/announcement.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { useLockWhileSending } from '../../kit/web/forms/use-lock-while-sending.ts';
import type { IdeaForm } from '../form-rules.ts';
import { nextSuggestion, SUGGESTIONS } from '../suggestions.ts';
import css from './idea-fields.module.css';

/** Fills the title with a random suggestion. A notice offers to restore the typed title. */
export function SurpriseMeButton({ form }: { form: UseFormReturn<IdeaForm> }) {
  const [last, setLast] = useState<string | null>(null);
  const notify = useNotify();
  const lock = useLockWhileSending();
  const fill = (title: string) =>
    form.setValue('title', title, { shouldDirty: true, shouldTouch: true, shouldValidate: true });
  const surprise = () => {
    const before = form.getValues('title');
    const next = nextSuggestion(last, Math.random());
    setLast(next);
    fill(next);
    if (before.trim() !== '' && !SUGGESTIONS.includes(before)) {
      notify.status('A suggestion replaced your title.', { label: 'Undo', run: () => fill(before) });
    }
  };
  return (
    <>
      <Button variant="text" className={css.surprise} {...lock.around} onClick={surprise}>
        Surprise me
      </Button>
      <Announcement>{last}</Announcement>
    </>
  );
}
