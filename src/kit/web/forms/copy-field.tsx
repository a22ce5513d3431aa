import { useRef } from 'react';
import { useCopy } from '../feedback/use-copy.ts';
import { Button } from './button.tsx';
import css from './copy-field.module.css';
import { TextField } from './text-field.tsx';

/** A read-only link with a 'Copy' button. It is shown in full and selected on focus. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLDivElement>(null);
  const copy = useCopy('the link');
  const copyOrSelect = async () => {
    if (!(await copy(value))) field.current?.querySelector('input')?.select();
  };
  return (
    <div ref={field} className={css.copy}>
      <TextField label={label} value={value} readOnly onFocus={(event) => event.currentTarget.select()} />
      <Button onClick={() => void copyOrSelect()}>Copy</Button>
    </div>
  );
}
