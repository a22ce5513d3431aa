import { useRef } from 'react';
import { useCopy } from '../feedback/use-copy.ts';
import { Button } from './button.tsx';
import css from './link-field.module.css';
import { TextField } from './text-field.tsx';

/** A read-only link with a 'Copy' button. Focus selects it, and so does a copy that fails. */
export function LinkField({ label, url }: { label: string; url: string }) {
  const field = useRef<HTMLDivElement>(null);
  const copy = useCopy('the link');
  const copyOrSelect = async () => {
    if (!(await copy(url))) field.current?.querySelector('input')?.select();
  };
  return (
    <div ref={field} className={css.copy}>
      <TextField label={label} value={url} readOnly onFocus={(event) => event.currentTarget.select()} />
      <Button onClick={() => void copyOrSelect()}>Copy</Button>
    </div>
  );
}
