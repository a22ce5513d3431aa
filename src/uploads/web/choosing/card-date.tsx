import { useEffect, useRef, useState } from 'react';
import { mediumDate } from '../../../base/date-formats.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNow } from '../../../base/web/device/now.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { startOf } from '../../../dates/start-of.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { SelectField } from '../../../kit/web/forms/select-field.tsx';
import { dateOption, datesToChoose } from '../../upload-dates.ts';
import css from './upload-card.module.css';

export interface CardDateProps {
  /** The photo's name, for the button's accessible name. */
  readonly name: string;
  /** The id of the element with the name. */
  readonly nameId: string;
  readonly dateId: string;
  readonly dates: readonly PlannedDate[];
  readonly isLocked: boolean;
  readonly onChange: (dateId: string | null) => void;
}

/** The own date of one photo, with a button to choose another. */
export function CardDate(props: CardDateProps) {
  const { name, dateId, dates, isLocked } = props;
  const [isChoosing, setChoosing] = useState(false);
  const date = dates.find(({ id }) => id === dateId);
  if (isChoosing && !isLocked) return <DateSelect {...props} onLeave={() => setChoosing(false)} />;
  return (
    <p className={css.date}>
      <b className="clamp">{date?.dateIdea.title ?? 'A deleted date'}</b>
      {date && <small className="num">{mediumDate(startOf(date), deviceZone())}</small>}
      {!isLocked && (
        <Button
          variant="text"
          className={css.change}
          aria-label={`Change the date of ${name}`}
          onClick={() => setChoosing(true)}
        >
          Change
        </Button>
      )}
    </p>
  );
}

/** Replaces the button and takes its focus. */
function DateSelect({ nameId, dateId, dates, onChange, onLeave }: CardDateProps & { onLeave: () => void }) {
  const now = useNow();
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => select.current?.focus(), []);
  return (
    <SelectField
      ref={select}
      label="Date"
      aria-describedby={nameId}
      value={dateId}
      onChange={(event) => onChange(event.target.value || null)}
      onBlur={onLeave}
    >
      <option value="">The date chosen for all</option>
      {datesToChoose(dates, now).map((one) => (
        <option key={one.id} value={one.id}>
          {dateOption(one, deviceZone())}
        </option>
      ))}
    </SelectField>
  );
}
