import type { UseQueryResult } from '@tanstack/react-query';
import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react';
import { ApiError } from './api.ts';

export interface AsyncProps<T> {
  query: UseQueryResult<T>;
  /** Shown before the first data: a skeleton, or a spinner if the spec gives its text. It needs `role=status`. */
  loading: ReactNode;
  /** Shown after an error, with a retry button ('Try Again'). */
  error: (error: ApiError, retry: () => void) => ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * Shows a query's loading, error or data state. Data from an earlier visit is shown even if the refetch fails; the error
 * appears only without any data.
 */
export function Async<T>({ query, loading, error, children }: AsyncProps<T>): ReactNode {
  const failure = useFailure(query);
  if (query.data !== undefined) return children(query.data);
  return failure === null ? loading : error(failure.error, failure.retry);
}

/** Why a query has no current data, and how the user fetches it again. */
export interface Failure {
  readonly error: ApiError;
  readonly retry: () => void;
}

/** The part of a query's result that tells whether it failed. */
type Failing = Pick<UseQueryResult, 'error' | 'errorUpdatedAt' | 'isFetching'> & {
  readonly refetch: () => Promise<unknown>;
};

/**
 * Returns the failure of a query, or null while it loads. The library forgets the error as soon as it fetches again. Here
 * it stays when a change by the partner does that, so that no button disappears as it is pressed. It goes when the user
 * retries, and as soon as the network is back.
 */
export function useFailure({ error, errorUpdatedAt: at, isFetching, refetch }: Failing): Failure | null {
  const [last, setLast] = useState<{ error: unknown; at?: number }>({ error: null });
  if (!isFetching && error !== last.error) setLast({ error, at });
  // The time tells whether it is an error of this query, and not of another one, such as of another page of the list.
  const isKept = last.at === at && asApiError(last.error).status > 0;
  const shown = isFetching ? isKept && last.error : error;
  if (!shown) return null;
  const retry = () => {
    setLast({ error });
    void refetch();
  };
  return { error: asApiError(shown), retry };
}

/** Converts any error to an ApiError. Unexpected ones get status 0 and keep their message. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(0, error instanceof Error ? error.message : 'Something went wrong. Please try again.');
}

export interface OnDemandOptions<P> {
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
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { loading, failed }: OnDemandOptions<P> = {},
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

/** How often code that could not be loaded is requested again. */
const RETRY_MS = 15_000;

/**
 * Schedules another attempt to load code: when the browser is online again, at the latest after 15 seconds.
 * @returns a function that cancels it
 */
export function scheduleRetry(retry: () => void): () => void {
  const run = () => {
    cancel();
    retry();
  };
  const timer = setTimeout(run, RETRY_MS);
  addEventListener('online', run);
  const cancel = () => {
    clearTimeout(timer);
    removeEventListener('online', run);
  };
  return cancel;
}
