import { useRef } from 'react';
import { Button } from '../../base/web/ui/button.tsx';
import { useNotify } from '../../base/web/ui/notices.tsx';
import { TextField } from '../../base/web/ui/text-field.tsx';
import css from './copy-field.module.css';

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
