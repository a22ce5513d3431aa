import { ArrowLeft, Camera, CloudOff } from 'lucide-react';
import { useRef, useState } from 'react';
import { useParams } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { useWakeLock } from '../../base/web/device/use-wake-lock.ts';
import { setSearchParams, useSearchValue } from '../../base/web/navigation/search-params.ts';
import { useGoBack } from '../../base/web/navigation/use-go-back.ts';
import { loadOnDemand } from '../../base/web/net/load-on-demand.tsx';
import { isReachable } from '../../base/web/net/reachable.ts';
import { useOnline } from '../../base/web/net/use-reachable.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { BADGE_TEXTS } from '../../dates/display-status.ts';
import { Badge } from '../../kit/web/feedback/badge.tsx';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { TextArea } from '../../kit/web/forms/text-area.tsx';
import { Leaf } from '../../kit/web/layout/leaf.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { Spread } from '../../kit/web/layout/spread.tsx';
import { usePageMark } from '../../kit/web/layout/use-page-mark.ts';
import { paths } from '../../paths.ts';
import { refusedOnlyHereText, waitingText } from '../waiting-text.ts';
import css from './date-mode-page.module.css';
import { Elapsed } from './elapsed.tsx';
import { EndDialog } from './end-dialog.tsx';
import { NotRunning } from './not-running.tsx';
import { PhotosSoFar } from './photos-so-far.tsx';
import { PlaceLink } from './place-link.tsx';
import { useKeptCaret } from './use-kept-caret.ts';
import { type LastSeenRunningDates, useKnownDate } from './use-known-date.ts';
import { NOTE_STATE_TEXTS, type NoteField, useNote } from './use-note.ts';
import { useShots } from './use-shots.ts';
import { WordsOnDevice } from './words-on-device.tsx';

const CameraDialog = loadOnDemand(() =>
  import('../../uploads/web/camera/camera-dialog.tsx').then((module) => module.CameraDialog),
);

export interface DateModePageProps {
  /** The dates in progress as another screen shows them, for a date that was never opened on this device. */
  readonly runningDates: LastSeenRunningDates;
}

/** `/planned-dates/{id}/now`: date mode, a date in progress alone on a dark page (datemode.1). */
export default function DateModePage({ runningDates }: DateModePageProps) {
  usePageMark('night');
  const id = useParams<{ id: string }>().id.trim();
  const query = useKnownDate(id, runningDates);
  const { date } = query;
  return (
    <div className={css.night}>
      <Bar status={date?.status ?? null} id={id} />
      {date ? (
        <OpenDate key={date.id} date={date} />
      ) : (
        <Page busy={query.isLoading}>
          {query.isLoading ? (
            <Loading message="Opening our date..." size="large" />
          ) : (
            <ErrorCard
              level={1}
              onRetry={query.retry}
              actions={<ButtonLink href={paths.dates}>Back to Our Dates</ButtonLink>}
            >
              {query.isNotFound || id === ''
                ? 'Date not found.'
                : !isReachable()
                  ? 'We haven’t opened this date here before. It opens by itself as soon as there is a network.'
                  : 'Failed to load our date. Please try again.'}
            </ErrorCard>
          )}
          {!query.isLoading && <WordsOnDevice dateId={id} isDeleted={query.isNotFound} />}
        </Page>
      )}
    </div>
  );
}

/** The way back, instead of the navigation. */
function Bar({ status, id }: { status: PlannedDate['status'] | null; id: string }) {
  const goBack = useGoBack(paths.date(id));
  return (
    <header className={css.bar}>
      <Button variant="text" flush icon={<ArrowLeft />} onClick={goBack}>
        Back
      </Button>
      {status === 'InProgress' && <Badge hue="in-progress">{BADGE_TEXTS['in-progress']}</Badge>}
    </header>
  );
}

/** A date in date mode, or why it isn't in progress. What was typed stays on the screen when the date ends. */
function OpenDate({ date }: { date: PlannedDate }) {
  const note = useNote(date);
  if (date.status === 'InProgress') return <Running date={date} note={note} />;
  return <NotRunning date={date} note={note} />;
}

function Running({ date, note }: { date: PlannedDate; note: NoteField }) {
  const user = useUser();
  const isOnline = useOnline();
  const shots = useShots(user.id, date.id);
  const { open, setOpen } = useOpened();
  useWakeLock(true);
  const unsent = shots.list.filter(({ state }) => state === 'waiting' || state === 'sending');
  const stored = unsent.filter(({ storing }) => storing === 'done').length;
  const isNoteWaiting = note.state === 'waiting' || (note.state === 'typing' && !isOnline);
  const unstored = unsent.filter(({ storing }) => storing === 'failed').length;
  const waiting = waitingText(isOnline, isOnline && !isNoteWaiting ? 0 : stored, isNoteWaiting, unstored);
  return (
    <>
      <p className={waiting ? css.notice : undefined} role="status">
        {waiting && (
          <>
            <CloudOff />
            <span>{waiting}</span>
          </>
        )}
      </p>
      <Spread className={css.page}>
        <div className={css.time}>
          <h1 className={css.title}>{date.dateIdea.title}</h1>
          {date.location !== null && <PlaceLink location={date.location} />}
          <Elapsed date={date} />
        </div>
        <Leaf>
          <PhotosSoFar date={date} shots={shots.list} />
          {shots.refused !== null && (
            <Banner
              onDismiss={shots.dismiss}
              more={
                shots.isRefusedStored
                  ? 'It is still on this device: ‘Restore’ on the upload page brings it back.'
                  : refusedOnlyHereText(1)
              }
            >
              {shots.refused}
            </Banner>
          )}
          <NoteArea note={note} />
        </Leaf>
        <div className={css.actions}>
          <Button variant="primary" size="large" icon={<Camera />} onClick={() => setOpen('camera')}>
            Take Photo
          </Button>
          <Button size="large" onClick={() => setOpen('end')}>
            End our date
          </Button>
        </div>
      </Spread>
      {open === 'camera' && <CameraDialog held={unsent.length} onCapture={shots.add} onClose={() => setOpen(null)} />}
      {open === 'end' && <EndDialog date={date} note={note} onClose={() => setOpen(null)} />}
    </>
  );
}

/** What is open over the page. The dashboard's buttons open it with the page, by `open` in the address. */
function useOpened() {
  const [wanted] = useSearchValue('open');
  const [chosen, setChosen] = useState<'camera' | 'end' | null>(null);
  const asked = wanted === 'camera' || wanted === 'end' ? wanted : null;
  const setOpen = (next: typeof chosen) => {
    setChosen(next);
    setSearchParams({ open: null });
  };
  return { open: chosen ?? asked, setOpen };
}

/** The note of the date, saved as it is typed. */
function NoteArea({ note }: { note: NoteField }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useKeptCaret(field, note);
  return (
    <section aria-label="Our note" className={css.note}>
      <TextArea
        ref={field}
        hint={<span role="status">{NOTE_STATE_TEXTS[note.state]}</span>}
        label="A note, saved as we write"
        italic
        rows={3}
        value={note.text}
        error={note.error ?? undefined}
        counter={note.counter}
        over={note.isTooLong}
        onChange={(event) => note.type(event.target.value)}
        onBlur={note.flush}
      />
    </section>
  );
}
