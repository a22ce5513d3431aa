import { useEffect, useState } from 'react';
import { navigate, useSearch as useSearchOf } from 'wouter/use-browser-location';
import { first, onServer } from './first.ts';

/**
 * Filters, sort and view live in the URL, so that back, reload and a shared link work. A change replaces the entry of
 * history rather than adding one: 'back' leaves the screen, as one expects.
 */

/** Sets or (null) removes values of the present URL's query, in place. */
export function setSearchParams(changes: Readonly<Record<string, string | null>>): void {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  const query = params.size === 0 ? '' : `?${params}`;
  if (query !== location.search) navigate(location.pathname + query + location.hash, { replace: true });
}

/** The query of the present URL, with its question mark. */
function useSearch(): string {
  return useSearchOf({ ssrSearch: first()?.search ?? '' });
}

/** A choice among `allowed`; the default is told by leaving it out, and what is none of them counts as the default. */
export function useSearchParam<const T extends string>(
  name: string,
  allowed: readonly T[],
  fallback: NoInfer<T>,
): [value: T, set: (next: T) => void] {
  const given = new URLSearchParams(useSearch()).get(name);
  const value = allowed.find((one) => one === given) ?? fallback;
  return [value, (next) => setSearchParams({ [name]: next === fallback ? null : next })];
}

/** A value that only the page itself can judge, such as an id; null where there is none. */
export function useSearchValue(name: string): [value: string | null, set: (next: string | null) => void] {
  const value = new URLSearchParams(useSearch()).get(name);
  return [value || null, (next) => setSearchParams({ [name]: next || null })];
}

/** How long typing rests before the URL follows it: browsers refuse too many changes of the address in a row. */
const REST_MS = 250;

/** A text as it is typed: the answer follows every key, the URL when the typing rests or the field is left. */
export function useSearchText(name: string): [text: string, set: (next: string) => void] {
  const inUrl = new URLSearchParams(useSearch()).get(name) ?? '';
  const [typed, setTyped] = useState({ text: inUrl, inUrl });
  const waiting = typed.text !== typed.inUrl;
  if (inUrl !== typed.inUrl) {
    // The address changed: by our own hand, or because a link led here anew.
    setTyped({ text: waiting && typed.text === inUrl ? typed.text : inUrl, inUrl });
  }
  useEffect(() => {
    if (!waiting) return undefined;
    const write = () => setSearchParams({ [name]: typed.text || null });
    const timer = setTimeout(write, REST_MS);
    // Whoever goes on to a link has left the field: 'back' then finds what was typed.
    document.addEventListener('focusout', write);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('focusout', write);
    };
  }, [name, typed.text, waiting]);
  return [typed.text, (text) => setTyped({ text, inUrl })];
}

/** Whether the page was reached with `?name=true`; the flag is taken out of the address once read (contract 5). */
export function useSearchFlag(name: string): boolean {
  const [set] = useState(() => new URLSearchParams(onServer()?.search ?? location.search).get(name) === 'true');
  useEffect(() => {
    if (set) setSearchParams({ [name]: null });
  }, [name, set]);
  return set;
}
