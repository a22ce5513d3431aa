import { type Control, useWatch } from 'react-hook-form';
import { cleanText } from '../../../base/clean-text.ts';
import { formatInstant } from '../../../base/instants.ts';
import { fromLocalInput } from '../../../base/local-input.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import type { CategoryValue } from '../../../ideas/categories.ts';
import type { DateIdea } from '../../../ideas/contract.ts';
import { Section } from '../../../kit/web/layout/section.tsx';
import { eachOptionalText } from '../../optional-texts.ts';
import { ideaNamed, type PastForm } from '../../past-form.ts';
import { DateTicket } from '../date-ticket.tsx';

/**
 * The ticket of a past date beside the form on wide screens, already stamped. It repeats the form, so it is hidden from
 * screen readers.
 */
export function PastPreview({ control, ideas }: { control: Control<PastForm>; ideas: readonly DateIdea[] }) {
  const zone = deviceZone();
  const form = useWatch({ control });
  const { what = '', category = '', actualStartTime = '', actualEndTime = '' } = form;
  const start = fromLocalInput(actualStartTime, zone);
  const end = fromLocalInput(actualEndTime, zone);
  if (start === null) return null;
  const began = formatInstant(start);
  const known = ideaNamed(ideas, what);
  const date = {
    id: '',
    status: 'Completed',
    plannedDateTime: began,
    endDateTime: null,
    ...eachOptionalText((name) => cleanText(form[name] ?? '') || null),
    actualStartTime: began,
    actualEndTime: end === null || end <= start ? null : formatInstant(end),
    actualDuration: null,
    memoryCount: 0,
    createdAt: began,
    updatedAt: began,
    lookBack: true,
    surprise: null,
    dateIdea: {
      id: null,
      title: cleanText(what) || 'What did we do?',
      description: null,
      category: known?.category ?? (category as CategoryValue),
      plannedDatesCount: 0,
      lastPlannedDate: null,
    },
  } as const;
  return (
    <div className="desk-only" aria-hidden="true">
      <Section title="Our ticket" aside="preview">
        <DateTicket date={date} level={3} />
      </Section>
    </div>
  );
}
