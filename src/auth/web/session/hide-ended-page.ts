import { recall } from '../../../base/web/storage/device-store.ts';
import { hasPageSessionEnded } from '../../../base/web/storage/page-session-end.ts';
import { renew } from './renew.ts';

let isWatching = false;

/**
 * Hides a page of a session that has ended when it is shown again on the way back, and loads it again: some browsers keep
 * the page as it was, in spite of `no-store`, as Safari does without HTTPS (screens.browsers.2).
 */
export function hideEndedPage(): void {
  if (isWatching) return;
  isWatching = true;
  const hide = () => {
    document.documentElement.hidden = true;
  };
  window.addEventListener('pagehide', () => hasPageSessionEnded() && hide());
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    if (!hasPageSessionEnded() && recall('known') !== null) {
      // The session may have ended elsewhere, or somebody else may have signed in.
      void renew();
      return;
    }
    hide();
    location.reload();
  });
}
