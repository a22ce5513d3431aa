import { useRef } from 'react';
import { useNotify } from '../feedback/notices.tsx';
import { Button } from './button.tsx';
import css from './copy-field.module.css';
import { TextField } from './text-field.tsx';

/** A link to be sent to somebody: shown whole, selected by a press, copied by 'Copy'. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLDivElement>(null);
  const notify = useNotify();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      notify.status('Copied');
    } catch {
      // Over plain HTTP, or not allowed: the reader's own hand can do it.
      field.current?.querySelector('input')?.select();
      notify.status('Select and copy the link by hand');
    }
  };
  return (
    <div ref={field} className={css.copy}>
      <TextField label={label} value={value} readOnly onFocus={(event) => event.currentTarget.select()} />
      <Button onClick={() => void copy()}>Copy</Button>
    </div>
  );
}
