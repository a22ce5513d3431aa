import { Component, type ReactNode } from 'react';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';

interface State {
  hasFailed: boolean;
}

/** Shows an error in place of a screen that crashed or whose code could not be loaded. The navigation keeps working. */
export class ScreenErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): State {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Page>
        <ErrorCard level={1} onRetry={() => location.reload()}>
          This page could not be opened. Nothing that was saved is lost.
        </ErrorCard>
      </Page>
    );
  }
}
