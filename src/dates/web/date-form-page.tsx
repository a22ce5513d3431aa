import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { FormDataLoader } from '../../base/web/forms/form-data-loader.tsx';
import type { ApiError } from '../../base/web/net/api-error.ts';
import { FailedPage } from '../../kit/web/feedback/failed-page.tsx';
import { TicketSkeletons } from '../../kit/web/feedback/skeleton.tsx';
import type { Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { Page } from '../../kit/web/layout/page.tsx';
import { paths } from '../../paths.ts';
import type { PlannedDate } from '../contract.ts';
import { useDate } from './queries.ts';

/** The link back to the list of dates. */
export const BACK_TO_DATES = { href: paths.dates, label: 'Back to Our Dates' };

export interface DateFormPageProps {
  readonly noId?: string;
  readonly loading?: string;
  readonly failure?: (error: ApiError) => string;
  readonly children: (opened: Versioned<PlannedDate>) => ReactNode;
}

/** The page of a form about the date in the address: the date as it is when the form opens. */
export function DateFormPage({
  noId = 'No date ID provided.',
  loading = 'Loading date details...',
  failure = failureOf,
  children,
}: DateFormPageProps) {
  const id = useParams<{ id: string }>().id.trim();
  const query = useDate(id);
  if (id === '') return <FailedPage back={BACK_TO_DATES}>{noId}</FailedPage>;
  return (
    <FormDataLoader
      query={query}
      loading={
        <Page busy>
          <TicketSkeletons message={loading} count={1} />
        </Page>
      }
      error={(error, retry) => (
        <FailedPage back={BACK_TO_DATES} onRetry={retry}>
          {failure(error)}
        </FailedPage>
      )}
    >
      {children}
    </FormDataLoader>
  );
}

function failureOf({ status }: ApiError): string {
  return status === 404 ? 'Date not found.' : 'Failed to load date details. Please try again.';
}
