import { useUser } from '../../../auth/web/session/use-session.ts';
import { EmptyState } from '../../../kit/web/feedback/empty-state.tsx';
import { ButtonLink } from '../../../kit/web/forms/button.tsx';
import { Page } from '../../../kit/web/layout/page.tsx';
import { paths } from '../../../paths.ts';
import type { PlannedDate } from '../../contract.ts';
import { SURPRISE_TITLE, surpriseRefusal } from '../../surprises.ts';
import { DateParcel } from './date-parcel.tsx';
import css from './hidden.module.css';

/** The page that says only the partner can change a surprise, when its form is opened by hand. */
export function SurpriseRefusedPage({ date }: { date: PlannedDate }) {
  const name = useUser().partner?.displayName ?? null;
  return (
    <Page>
      <EmptyState
        level={1}
        title={SURPRISE_TITLE}
        drawing={
          <div className={css.parcel}>
            <DateParcel date={date} from={name} level={0} />
          </div>
        }
        actions={
          <>
            <ButtonLink variant="primary" href={paths.date(date.id)}>
              View Details
            </ButtonLink>
            <ButtonLink href={paths.dates}>Back to Our Dates</ButtonLink>
          </>
        }
      >
        {surpriseRefusal(name ?? 'your partner')}
      </EmptyState>
    </Page>
  );
}
