import { useRef } from 'react';
import { useNotify } from '../feedback/notices.tsx';
import { Button } from './button.tsx';
import css from './copy-field.module.css';
import { TextField } from './text-field.tsx';

/** A read-only link with a 'Copy' button. It is shown in full and selected on focus. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLDivElement>(null);
  const notify = useNotify();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      notify.status('Copied');
    } catch {
      // The clipboard is unavailable over plain HTTP or without permission.
      field.current?.querySelector('input')?.select();
      notify.status('Please select and copy the link yourself');
    }
  };
  return (
    <div ref={field} className={css.copy}>
      <TextField label={label} value={value} readOnly onFocus={(event) => event.currentTarget.select()} />
      <Button onClick={() => void copy()}>Copy</Button>
    </div>
  );
}
