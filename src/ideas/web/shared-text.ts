import { paths } from '../../paths.ts';

/** The sessionStorage key of a shared text that waits until somebody has signed in. */
const WAITING = 'shared-text';

/** Keeps what another app has shared while somebody signs in, so that no address holds it (ideas.form.17). */
export function keepSharedText(): void {
  if (location.pathname === paths.addIdea && location.hash !== '') sessionStorage.setItem(WAITING, location.hash);
}

/** What another app has shared, from before the sign-in or from the address, once; null if nothing was. */
export function takeSharedText(): { readonly title: string; readonly description: string } | null {
  const shared = new URLSearchParams((sessionStorage.getItem(WAITING) ?? location.hash).slice(1));
  sessionStorage.removeItem(WAITING);
  const [title, description] = [shared.get('title') ?? '', shared.get('description') ?? ''];
  if (title === '' && description === '') return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return { title, description };
}
