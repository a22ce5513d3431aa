import { paths } from '../../paths.ts';

/** The sessionStorage key of a shared text that waits until somebody has signed in. */
const WAITING = 'shared-text';

/** Keeps what another app has shared while somebody signs in, so that no address holds it (ideas.form.17). */
export function keepSharedText(): void {
  if (location.pathname === paths.addIdea && location.hash !== '') sessionStorage.setItem(WAITING, location.hash);
}

/**
 * What another app has shared, once; null if nothing was. What stands in the address comes first: what has waited for a
 * sign-in stays for the next time, so neither is lost.
 */
export function takeSharedText(): { readonly title: string; readonly description: string } | null {
  const isNew = location.hash !== '';
  const shared = new URLSearchParams((isNew ? location.hash : (sessionStorage.getItem(WAITING) ?? '')).slice(1));
  if (!isNew) sessionStorage.removeItem(WAITING);
  const [title, description] = [shared.get('title') ?? '', shared.get('description') ?? ''];
  if (title === '' && description === '') return null;
  if (isNew) history.replaceState(history.state, '', location.pathname + location.search);
  return { title, description };
}
