import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';
import { scheduleRetry } from './schedule-retry.ts';

export interface LoadOnDemandOptions<P> {
  /** Shown while the code loads. Nothing by default. */
  readonly loading?: (props: P) => ReactNode;
  /** Shown if the code could not be loaded. Nothing by default. */
  readonly failed?: (props: P, retry: () => void) => ReactNode;
}

/**
 * Returns a component whose code loads when it is first rendered. If the code cannot be loaded, only this component is
 * missing: the rest of the screen keeps what was typed there. It is requested again after a while.
 * @param load loads the code and returns the component
 */
export function loadOnDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { loading, failed }: LoadOnDemandOptions<P> = {},
): ComponentType<P> {
  // React keeps the failure of a lazy component, so each attempt needs a new one.
  const attempt = () =>
    lazy(() =>
      load().then(
        (part) => ({ default: part }),
        (error: unknown) => {
          latest = attempt();
          throw error;
        },
      ),
    );
  let latest = attempt();

  return class OnDemand extends Component<P> {
    override state = { Part: latest, hasFailed: false };
    #cancelRetry: (() => void) | undefined;

    static getDerivedStateFromError() {
      return { hasFailed: true };
    }

    readonly #retry = () => {
      this.#cancelRetry?.();
      this.setState({ Part: latest, hasFailed: false });
    };

    override componentDidCatch() {
      const isLoaded = this.state.Part === latest;
      // Code that loaded and then crashed would only crash again.
      if (!isLoaded) this.#cancelRetry = scheduleRetry(this.#retry);
    }

    override componentWillUnmount() {
      this.#cancelRetry?.();
    }

    override render() {
      const { Part, hasFailed } = this.state;
      if (hasFailed) return failed?.(this.props, this.#retry);
      return (
        <Suspense fallback={loading?.(this.props)}>{createElement(Part as ComponentType<P>, this.props)}</Suspense>
      );
    }
  };
}
