import { SpaceDeletedNotice } from '../../../auth/web/couple/space-deleted-notice.tsx';
import { PageServiceWorker } from './page-service-worker.tsx';

/** The notices of every page, signed in or not, among them that of a new version. */
export function PageNotices() {
  return (
    <>
      <PageServiceWorker />
      <SpaceDeletedNotice />
    </>
  );
}
