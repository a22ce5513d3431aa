import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../../../paths.ts';
import { screenAt } from '../routing/routes.ts';

/** Opens the search with `/`, unless a field has the focus, and with Ctrl or Command and K (search.6). */
export function useSearchKeys(): void {
  const [, navigate] = useLocation();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !isSearchKey(event) || document.querySelector('dialog:modal')) return;
    event.preventDefault();
    const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
    if (location.pathname === paths.search && field) field.select();
    else navigate(paths.search);
  });
  useEffect(() => {
    // Load the search now, so that its field has the focus before the next letter is typed.
    void screenAt(paths.search)?.load();
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

function isSearchKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k';
  return key === '/' && !(target as Element).closest('input, textarea, select, [contenteditable]');
}
