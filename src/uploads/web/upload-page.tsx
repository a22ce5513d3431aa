import { useEffect, useEffectEvent } from 'react';
import { useLocation, useParams } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useSearchValue } from '../../base/web/navigation/search-params.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { isHidden } from '../../dates/is-hidden.ts';
import { useDates } from '../../dates/web/queries.ts';
import { type Question, useConfirm } from '../../kit/web/feedback/confirm.tsx';
import { useUnsavedChanges } from '../../kit/web/forms/use-unsaved-changes.ts';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { dateLabel } from '../../memories/gallery-texts.ts';
import { paths } from '../../paths.ts';
import { dateAfterUpload, hasSeveralDates } from '../date-after-upload.ts';
import { isDone, type UploadQueue } from '../upload-queue.ts';
import { onlyHereText } from '../upload-texts.ts';
import { UploadForm } from './choosing/upload-form.tsx';
import { type Upload, useUploader } from './queue/use-uploader.ts';
import { UploadSuccess } from './upload-success.tsx';

/** How long the success message is shown. */
const REDIRECT_MS = 2000;

/** The confirmation before a running upload is left. */
const LEAVING: Question = {
  question: 'Upload in progress. Are you sure you want to cancel?',
  detail: 'Photos already uploaded are saved. The others stay on this device until we come back.',
  verb: 'Leave',
  keep: 'Stay',
};

/** The confirmation before photos are lost that are only on this page. */
const leavingWithout = (unstored: number): Question => ({
  question: 'Our photos are not saved yet. Are you sure you want to leave?',
  detail: onlyHereText(unstored),
  verb: 'Leave',
  keep: 'Stay',
});

/** `/memories/upload` and `/memories/upload/{plannedDateId}`. */
export default function UploadPage() {
  const upload = useUploader(useUser().id);
  const { uploader, queue } = upload;
  const { id = null } = useParams<{ id?: string }>();
  const [fromComplete] = useSearchValue('fromComplete');
  const [, navigate] = useLocation();
  const confirm = useConfirm();
  const dates = useDates();
  usePreselection(upload, dates.data, id);
  const leaving = upload.unstored > 0 ? leavingWithout(upload.unstored) : LEAVING;
  const isRunning = queue.isRunning && queue.pause !== 'signed-out';
  const release = useUnsavedChanges(isRunning || upload.unstored > 0, leaving);
  const hasEnded = isDone(queue);
  const dateId = dateAfterUpload(queue);
  const continueHref = dateId === null ? galleryOf(queue) : paths.memoriesOf(dateId);
  useRedirect(hasEnded, continueHref);
  const leave = (to: string = paths.memories) => {
    release();
    navigate(to);
  };
  const stop = async () => {
    if (!(await confirm(leaving))) return;
    uploader.stop();
    leave();
  };
  const cancel = async () => {
    if (await upload.clear()) leave();
  };
  const leaveWithoutFailed = async () => {
    if (await upload.removeFailed()) leave(continueHref);
  };
  if (hasEnded) {
    const date = dates.data?.find((one) => one.id === dateId);
    return (
      <Page>
        <UploadSuccess queue={queue} continueHref={continueHref} date={date ? dateLabel(date, deviceZone()) : null} />
      </Page>
    );
  }
  return (
    <Page>
      <Masthead
        title="Add Beautiful Memories"
        subtitle={fromComplete === 'true' ? 'Another date to remember. Now its photographs.' : undefined}
      />
      <UploadForm
        upload={upload}
        dates={dates}
        dateInAddress={id}
        continueHref={continueHref}
        onStop={() => void stop()}
        onCancel={() => void cancel()}
        onLeave={() => void leaveWithoutFailed()}
      />
    </Page>
  );
}

/**
 * Selects the date in the address, and deselects a date that doesn't exist. Until our dates are here, the address is
 * believed, so that photos that are chosen meanwhile are kept with their date.
 */
function usePreselection({ uploader, queue }: Upload, dates: readonly PlannedDate[] | undefined, id: string | null) {
  const selectDate = useEffectEvent((ours: readonly PlannedDate[] | undefined) => {
    if (queue.isRunning) return;
    const exists = (dateId: string) => ours?.some((date) => date.id === dateId && !isHidden(date)) ?? true;
    if (queue.dateId !== null && !exists(queue.dateId)) uploader.setDate(null);
    else if (queue.dateId === null && id !== null && exists(id)) uploader.setDate(id);
  });
  useEffect(() => selectDate(dates), [dates]);
}

/** The gallery that shows the photographs of no single date. */
function galleryOf(queue: UploadQueue): string {
  return hasSeveralDates(queue) ? paths.ourStory : paths.memories;
}

function useRedirect(hasEnded: boolean, to: string): void {
  const [, navigate] = useLocation();
  const go = useEffectEvent(() => navigate(to, { replace: true }));
  useEffect(() => {
    if (!hasEnded) return undefined;
    const timer = setTimeout(() => go(), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [hasEnded]);
}
