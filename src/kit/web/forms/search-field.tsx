import { Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import field from './field.module.css';
import { Field } from './field.tsx';
import css from './search-field.module.css';

export interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'maxLength' | 'type'> {
  /** Defaults to 'Search'. */
  label?: string;
}

/** The search box of a list, with a magnifier icon. Its type gives it `role=searchbox`. */
export function SearchField({ label = 'Search', id, className, ...rest }: SearchFieldProps) {
  return (
    <Field label={label} id={id} kind="search" className={className}>
      {(tied) => (
        <span className={css.search}>
          <Search />
          <input
            dir="auto"
            autoComplete="off"
            enterKeyHint="search"
            {...rest}
            {...tied}
            type="search"
            className={field.box}
          />
        </span>
      )}
    </Field>
  );
}
