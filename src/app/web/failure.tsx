import { Component, type ReactNode } from 'react';
import { Late, wake } from '../../base/web/alive.tsx';
import { ErrorCard } from '../../kit/web/feedback/empty-state.tsx';
import { Page } from '../../kit/web/layout/page.tsx';

interface State {
  failed: boolean;
}

/** What a page can do without: it comes when it comes, and where its code can not be had the page stands all the same. */
export class Aside extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? null : <Late>{this.props.children}</Late>;
  }
}

/** A screen that broke, or whose code could not be fetched: the rest of the page stands, and it can be loaded again. */
export class Failure extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidCatch(): void {
    wake();
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Page>
        <ErrorCard level={1} onRetry={() => location.reload()}>
          This page could not be opened. Nothing that was saved is lost.
        </ErrorCard>
      </Page>
    );
  }
}
