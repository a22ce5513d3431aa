import type { ReactNode } from 'react';
import { clockTime, longDate, stubDay } from '../../../base/date-formats.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNow } from '../../../base/web/device/now.ts';
import { Parcel } from '../../../kit/web/album/parcel.tsx';
import type { PlannedDate } from '../../contract.ts';
import { BADGE_TEXTS, displayStatus } from '../../display-status.ts';
import { KEEP_FREE, surpriseFrom } from '../../surprise-texts.ts';
import type { Look } from './surprise-ticket.tsx';

/** A date of which the user may know only the time, as a parcel. */
export function DateParcel({
  date,
  from,
  ...look
}: Look & {
  readonly date: Pick<PlannedDate, 'status' | 'plannedDateTime'>;
  /** The name of who planned it. */
  readonly from: string | null;
  readonly children?: ReactNode;
}) {
  const zone = deviceZone();
  const planned = Date.parse(date.plannedDateTime);
  const state = displayStatus(date, useNow(), zone);
  return (
    <Parcel
      {...look}
      state={state}
      stateLabel={BADGE_TEXTS[state]}
      day={stubDay(planned, zone)}
      date={longDate(planned, zone)}
      time={clockTime(planned, zone)}
      title={surpriseFrom(from)}
      hush={KEEP_FREE}
    />
  );
}
