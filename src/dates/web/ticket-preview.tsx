import { type Control, useWatch } from 'react-hook-form';
import { formatInstant } from '../../base/instants.ts';
import { fromLocalInput } from '../../base/local-input.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import type { DateIdea } from '../../ideas/contract.ts';
import { Section } from '../../kit/web/layout/section.tsx';
import { eachOptionalText } from '../optional-texts.ts';
import type { PlanForm } from '../plan-form.ts';
import { DateTicket } from './date-ticket.tsx';

/**
 * A preview of the ticket beside the form on wide screens. It repeats the form, so it is hidden from screen readers.
 */
export function TicketPreview({ idea, control }: { idea: DateIdea; control: Control<PlanForm> }) {
  const zone = deviceZone();
  const { plannedDateTime = '', endDateTime = '', surprise, ...texts } = useWatch({ control });
  const start = fromLocalInput(plannedDateTime, zone);
  const end = fromLocalInput(endDateTime, zone);
  if (start === null) return null;
  const date = {
    id: '',
    status: 'Planned',
    plannedDateTime: formatInstant(start),
    endDateTime: end === null || end <= start ? null : formatInstant(end),
    ...eachOptionalText((name) => texts[name]?.trim() || null),
    actualStartTime: null,
    actualEndTime: null,
    actualDuration: null,
    memoryCount: 0,
    createdAt: idea.createdAt,
    updatedAt: idea.updatedAt,
    lookBack: true,
    surprise: surprise ? { mine: true, revealed: false } : null,
    dateIdea: idea,
  } as const;
  return (
    <div className="desk-only" aria-hidden="true">
      <Section title="Our ticket" aside={surprise ? 'what you see' : 'preview'}>
        <DateTicket date={date} level={3} />
      </Section>
    </div>
  );
}
