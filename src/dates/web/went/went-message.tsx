import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useTimer } from '../../../base/web/device/timers.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { cx } from '../../../kit/web/cx.ts';
import notices from '../../../kit/web/feedback/notices.module.css';
import { useNoticePlace, useNotify } from '../../../kit/web/feedback/notices.tsx';
import { usePointerOrFocus } from '../../../kit/web/feedback/use-pointer-or-focus.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { IconButton } from '../../../kit/web/forms/icon-button.tsx';
import { focusMain } from '../../../kit/web/layout/focus-main.ts';
import { wentText } from '../../went-texts.ts';
import { wentButtonId } from '../action-button.tsx';
import { refusalOf } from '../explain-failure.ts';
import type { CompletedWent } from './completed-went.ts';
import { hideWent, showWentTimes, useShownWent } from './shown-went.ts';
import css from './went-message.module.css';
import { WentTimesDialog } from './went-times-dialog.tsx';

/** How long the message is shown unless the pointer or the focus is on it: a stitch a second. */
const STITCHES = 10;
const STITCH_MS = 1000;
/** How many frames the ticket may take to have its button again. */
const FRAMES = 60;

/** The message after 'We went!', among the notices, and its dialog 'When were we out?'. */
export function WentMessage() {
  const place = useNoticePlace();
  const shown = useShownWent();
  // The region exists before its text: screen readers announce only what is added to a known region.
  const region = (
    <div role="status" className={css.region}>
      {shown?.isChanging === false && <Message key={shown.went.at} went={shown.went} />}
    </div>
  );
  return (
    <>
      {place && createPortal(region, place)}
      {shown?.isChanging && <WentTimesDialog key={shown.went.at} went={shown.went} />}
    </>
  );
}

/** Moves the focus to the button on the date's ticket, which is rendered some frames later, unless it is elsewhere. */
async function focusWentButton(dateId: string): Promise<void> {
  for (let frame = 0; frame < FRAMES && document.activeElement?.id === 'main'; frame += 1) {
    document.getElementById(wentButtonId(dateId))?.focus({ preventScroll: true });
    await new Promise(requestAnimationFrame);
  }
}

function Message({ went }: { went: CompletedWent }) {
  const notify = useNotify();
  const hold = usePointerOrFocus();
  const [left, setLeft] = useState(STITCHES);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (went.takesFocus) box.current?.focus({ preventScroll: true });
  }, [went]);
  useTimer(hold.isHeld ? null : left, STITCH_MS, () => (left > 1 ? setLeft(left - 1) : hideWent(went)));
  const undo = async () => {
    hideWent(went);
    focusMain();
    try {
      if (await went.undo()) await focusWentButton(went.date.id);
    } catch (error) {
      notify.alert(refusalOf(asApiError(error)) ?? 'Failed to undo. Please try again.');
    }
  };
  return (
    <div className={cx(notices.slip, css.message)} {...hold.props}>
      <div ref={box} className={css.group} role="group" aria-label="We went!" tabIndex={-1}>
        <p className={css.text}>
          We went!
          <small className="num">{wentText(went.date, went.at, deviceZone())}</small>
        </p>
        <div className={css.actions}>
          <Button variant="text" onClick={() => void undo()}>
            Undo
          </Button>
          <Button variant="text" onClick={() => showWentTimes(went)}>
            Change the times
          </Button>
          <IconButton
            label="Dismiss"
            icon={<X />}
            onClick={() => {
              hideWent(went);
              focusMain();
            }}
          />
        </div>
      </div>
      <span className={css.thread} aria-hidden="true" style={{ '--left': left }} />
    </div>
  );
}
