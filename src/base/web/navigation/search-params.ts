import { useEffect, useState } from 'react';
import { navigate, useSearch } from 'wouter/use-browser-location';

/*
 * Filters, sort and view are in the URL, so that back, reload and shared links work. A change replaces the history entry,
 * so that 'back' leaves the screen.
 */

/** Sets or (null) removes parameters of the current URL's query. */
export function setSearchParams(changes: Readonly<Record<string, string | null>>): void {
  const params = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  const query = params.size === 0 ? '' : `?${params}`;
  if (query !== location.search) navigate(location.pathname + query + location.hash, { replace: true });
}

/** A parameter with a fixed set of values. The fallback is omitted from the URL and replaces invalid values. */
export function useSearchParam<const T extends string>(
  name: string,
  allowed: readonly T[],
  fallback: NoInfer<T>,
): [value: T, set: (next: T) => void] {
  const given = new URLSearchParams(useSearch()).get(name);
  const value = allowed.find((one) => one === given) ?? fallback;
  return [value, (next) => setSearchParams({ [name]: next === fallback ? null : next })];
}

/** A parameter with any value, such as an id; null if it is absent. */
export function useSearchValue(name: string): [value: string | null, set: (next: string | null) => void] {
  const value = new URLSearchParams(useSearch()).get(name);
  return [value || null, (next) => setSearchParams({ [name]: next || null })];
}

/** Debounces changes of the URL while typing: browsers limit their rate. */
const DEBOUNCE_MS = 250;

/** A text field bound to a parameter. The text changes with every key; the URL is debounced, or updated on blur. */
export function useSearchText(name: string): [text: string, set: (next: string) => void] {
  const inUrl = new URLSearchParams(useSearch()).get(name) ?? '';
  const [typed, setTyped] = useState({ text: inUrl, inUrl });
  const isWaiting = typed.text !== typed.inUrl;
  if (inUrl !== typed.inUrl) {
    // The URL changed: by `write` below, or because of a link to this screen.
    setTyped({ text: isWaiting && typed.text === inUrl ? typed.text : inUrl, inUrl });
  }
  useEffect(() => {
    if (!isWaiting) return undefined;
    const { pathname } = location;
    // The keys of the search change to its screen while the field has the focus, which ends only after that.
    const write = () => {
      if (location.pathname === pathname) setSearchParams({ [name]: typed.text || null });
    };
    const timer = setTimeout(write, DEBOUNCE_MS);
    // Save the text before a click on a link, so that 'back' restores it.
    document.addEventListener('focusout', write);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('focusout', write);
    };
  }, [name, typed.text, isWaiting]);
  return [typed.text, (text) => setTyped({ text, inUrl })];
}

/** Returns whether the URL had `?name=true`, and removes the flag from the URL. */
export function useSearchFlag(name: string): boolean {
  const [isSet] = useState(() => new URLSearchParams(location.search).get(name) === 'true');
  useEffect(() => {
    if (isSet) setSearchParams({ [name]: null });
  }, [name, isSet]);
  return isSet;
}
