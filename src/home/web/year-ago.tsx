import { RotateCcw } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { clockTime, longDate, mediumDate, stubDay } from '../../base/date-formats.ts';
import { dayOf } from '../../base/instants.ts';
import { timeSince } from '../../base/relative-time.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import type { PlannedDate } from '../../dates/contract.ts';
import { memoryCountText } from '../../dates/detail-texts.ts';
import { BADGE_TEXTS } from '../../dates/display-status.ts';
import { startOf } from '../../dates/start-of.ts';
import { actualDurationText } from '../../dates/time-texts.ts';
import { LOOK_BACK_FAILED } from '../../dates/web/look-back-switch.tsx';
import { useLookBack } from '../../dates/web/queries.ts';
import { Category } from '../../ideas/web/category.tsx';
import { Print } from '../../kit/web/album/print.tsx';
import { PrintRows } from '../../kit/web/album/print-rows.tsx';
import { Ticket } from '../../kit/web/album/ticket.tsx';
import { CoupleText } from '../../kit/web/couple-text.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { focusMain } from '../../kit/web/layout/focus-main.ts';
import { Section } from '../../kit/web/layout/section.tsx';
import { blurOf } from '../../memories/web/blur.ts';
import { printOf } from '../../memories/web/print-of.ts';
import { paths } from '../../paths.ts';
import { pastDateTitle } from '../find-past-day.ts';
import css from './dashboard-photos.module.css';
import { usePhotosOf, useYearAgo } from './queries.ts';

/** A completed date of this day or week in an earlier year; nothing if there is none. */
export function YearAgo() {
  const { data } = useYearAgo(dayOf(useNow(), deviceZone()), deviceZone());
  const { mutate } = useLookBack();
  const notify = useNotify();
  const [hiddenId, setHiddenId] = useState<string | null>(null);
  const show = (id: string, isShown: boolean) => {
    setHiddenId(isShown ? null : id);
    const onError = () => {
      setHiddenId(isShown ? id : null);
      // The button that had the focus is gone. If 'Undo' is shown again, it takes the focus.
      focusMain();
      notify.alert(LOOK_BACK_FAILED);
    };
    mutate({ id, shown: isShown }, { onError });
  };
  const undo = (id: string) => {
    show(id, true);
    // The button that was pressed is gone.
    focusMain();
  };
  if (hiddenId !== null) return <HiddenDate onUndo={() => undo(hiddenId)} />;
  if (!data) return null;
  const { date } = data;
  return (
    <Section title={pastDateTitle(data)} aside={mediumDate(startOf(date), deviceZone())}>
      <Photos date={date} />
      <PastDateTicket date={date} onHide={() => show(date.id, false)} />
    </Section>
  );
}

/** What is shown after 'Don’t show this again': a print face down, and 'Undo'. */
function HiddenDate({ onUndo }: { onUndo: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const done = useId();
  useEffect(() => box.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={box} className={css.faceDown}>
      <span className={css.back} aria-hidden="true" />
      <span id={done} className="visually-hidden">
        We won't show it when we look back.
      </span>
      <Button variant="text" aria-describedby={done} onClick={onUndo}>
        Undo
      </Button>
    </div>
  );
}

function PastDateTicket({ date, onHide }: { date: PlannedDate; onHide: () => void }) {
  const now = useNow();
  const zone = deviceZone();
  const start = startOf(date);
  const { id: ideaId, category } = date.dateIdea;
  return (
    <Ticket
      state="completed"
      stateLabel={BADGE_TEXTS.completed}
      level={3}
      day={stubDay(start, zone)}
      title={date.dateIdea.title}
      href={paths.date(date.id)}
      until={timeSince(start, now)}
      category={category && <Category category={category} />}
      facts={[
        `${longDate(start, zone)}, ${clockTime(start, zone)}`,
        actualDurationText(date),
        date.location && <CoupleText key="location">{date.location}</CoupleText>,
        memoryCountText(date),
      ].filter((fact) => fact !== null)}
      notes={date.notes}
      actions={
        <>
          {ideaId !== null && (
            <ButtonLink href={paths.planDate(ideaId)} icon={<RotateCcw />}>
              Do it again
            </ButtonLink>
          )}
          <ButtonLink variant="text" href={paths.date(date.id)}>
            View Details
          </ButtonLink>
          <Button variant="text" onClick={onHide}>
            Don't show this again
          </Button>
        </>
      }
    />
  );
}

/** The date's photographs, the first of them large. Empty if they fail to load. */
function Photos({ date }: { date: PlannedDate }) {
  const { data = [] } = usePhotosOf(date.id);
  const [lead, ...rest] = data;
  if (!lead) return null;
  return (
    <>
      <Print {...printOf(lead, blurOf)} lead className={css.lead} src={lead.previewUrl} />
      {rest.length > 0 && (
        <PrintRows small label="More from that day">
          {rest.map((memory) => (
            <Print key={memory.id} {...printOf(memory, blurOf)} as="li" src={memory.thumbnailUrl} />
          ))}
        </PrintRows>
      )}
    </>
  );
}
