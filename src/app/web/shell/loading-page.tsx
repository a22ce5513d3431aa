import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';

/** A page whose code or session is still on its way. */
export function LoadingPage() {
  return (
    <Page busy>
      <Loading message="Opening our album..." />
    </Page>
  );
}
