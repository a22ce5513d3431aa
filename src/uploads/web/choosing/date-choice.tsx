import { useId } from 'react';
import { longDate } from '../../../base/date-formats.ts';
import { plural } from '../../../base/number-texts.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNow } from '../../../base/web/device/now.ts';
import type { PlannedDate } from '../../../dates/contract.ts';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { SelectField } from '../../../kit/web/forms/select-field.tsx';
import { TextLink } from '../../../kit/web/layout/text-link.tsx';
import { paths } from '../../../paths.ts';
import { dateOption, datesToChoose } from '../../upload-dates.ts';
import css from './upload-form.module.css';

export interface DateChoiceProps {
  /** Undefined while they load, null if loading failed. */
  readonly dates: readonly PlannedDate[] | undefined | null;
  readonly onRetry: () => void;
  readonly value: string | null;
  readonly onChange: (dateId: string | null) => void;
  /** How many photos have no date of their own; null if none has one. */
  readonly rest: number | null;
  readonly disabled: boolean;
  /** The select's id, for links to it. */
  readonly id: string;
}

/** 'Which magical date are these memories from?' */
export function DateChoice({ dates, onRetry, value, rest, onChange, disabled, id }: DateChoiceProps) {
  const zone = deviceZone();
  const now = useNow();
  const hintId = useId();
  if (dates === null) {
    return (
      <ErrorCard title={null} onRetry={onRetry}>
        Failed to load our dates. Please try again.
      </ErrorCard>
    );
  }
  const chosen = dates?.find((date) => date.id === value);
  return (
    <div className={css.date}>
      <SelectField
        id={id}
        label="Which magical date are these memories from?"
        required
        hint={
          rest === null
            ? undefined
            : `For the ${plural(rest, 'photo')} without a date of ${rest === 1 ? 'its' : 'their'} own`
        }
        disabled={disabled || dates === undefined}
        value={chosen ? chosen.id : ''}
        aria-describedby={hintId}
        onChange={(event) => onChange(event.target.value || null)}
      >
        <option value="">Select a date...</option>
        {datesToChoose(dates ?? [], now).map((date) => (
          <option key={date.id} value={date.id}>
            {dateOption(date, zone)}
          </option>
        ))}
      </SelectField>
      <p className={css.belongs} id={hintId} aria-live="polite">
        {chosen && (
          <>
            <b>{chosen.dateIdea.title}</b>
            <span className="num">{longDate(Date.parse(chosen.plannedDateTime), zone)}</span>
          </>
        )}
      </p>
      {dates?.length === 0 && (
        <p className="aside">
          We have not planned a date yet. <TextLink href={paths.ideas}>Choose one of our ideas</TextLink>
        </p>
      )}
    </div>
  );
}
