import { RotateCw, X } from 'lucide-react';
import { Setting } from '../../auth/web/settings/setting.tsx';
import { mediumDate } from '../../base/date-formats.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { QueryContent } from '../../base/web/queries/query-content.tsx';
import { useConfirm } from '../../kit/web/feedback/confirm.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { LinkField } from '../../kit/web/forms/link-field.tsx';
import { Actions } from '../../kit/web/layout/actions.tsx';
import { useCalendarLink, useMakeCalendarLink, useRevokeCalendarLink } from './calendar-link-queries.ts';

/** The setting 'Calendar': this user's secret link to the couple's dates. */
export function CalendarSetting() {
  return (
    <Setting name="Calendar" subtitle="Our planned dates in your phone’s calendar">
      <QueryContent
        query={useCalendarLink()}
        loading={<Loading message="Loading your calendar link..." size="small" />}
        error={(_, retry) => (
          <ErrorCard title={null} level={3} onRetry={retry}>
            Failed to load your calendar link. Please try again.
          </ErrorCard>
        )}
      >
        {({ createdAt }) => <Link since={createdAt} />}
      </QueryContent>
    </Setting>
  );
}

function Link({ since }: { since: string | null }) {
  const make = useMakeCalendarLink();
  const revoke = useRevokeCalendarLink();
  const notify = useNotify();
  const confirm = useConfirm();
  const failed = () => notify.alert('Failed to change your calendar link. Please try again.');

  const remove = async () => {
    const sure = await confirm({
      question: 'Are you sure you want to revoke your calendar link?',
      detail: 'Calendars using it will stop updating. You can make a new one at any time.',
      verb: 'Revoke',
    });
    if (!sure) return;
    revoke.mutate(undefined, {
      onSuccess: () => {
        make.reset();
        notify.status('Calendar link revoked');
      },
      onError: failed,
    });
  };
  const newLink = () => make.mutate(undefined, { onError: failed });

  if (since === null) {
    return (
      <>
        <p>Make a link and subscribe to it in your calendar app. Our dates appear there and stay up to date.</p>
        <div>
          <Button busy={make.isPending} onClick={newLink}>
            Make a Calendar Link
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      {make.data ? (
        <LinkField label="Calendar link" url={make.data.url} />
      ) : (
        <p>
          You have a link since {mediumDate(Date.parse(since), deviceZone())}. Its address was shown when it was made.
        </p>
      )}
      <p className="aside">Anyone with this link can read our dates. Making a new link turns this one off.</p>
      <Actions>
        <Button variant="text" flush icon={<RotateCw />} busy={make.isPending} onClick={newLink}>
          Make a new link
        </Button>
        <Button variant="text" icon={<X />} busy={revoke.isPending} onClick={() => void remove()}>
          Revoke
        </Button>
      </Actions>
    </>
  );
}
