import { type Control, useWatch } from 'react-hook-form';
import { useUser } from '../../../auth/web/session/use-session.ts';
import { formatInstant } from '../../../base/instants.ts';
import { fromLocalInput } from '../../../base/local-input.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { Section } from '../../../kit/web/layout/section.tsx';
import type { PlanForm } from '../../plan-form.ts';
import { DateParcel } from './date-parcel.tsx';

/** A preview of what the partner sees of a surprise; nothing if it is none. */
export function ParcelPreview({ control, className }: { control: Control<PlanForm>; className: string | undefined }) {
  const { displayName, partner } = useUser();
  const { plannedDateTime = '', surprise } = useWatch({ control });
  const start = fromLocalInput(plannedDateTime, deviceZone());
  if (start === null || !surprise || partner === null) return null;
  return (
    <div className={className} aria-hidden="true">
      <Section title={`What ${partner.displayName} sees`} aside="until it begins">
        <DateParcel date={{ status: 'Planned', plannedDateTime: formatInstant(start) }} from={displayName} level={0} />
      </Section>
    </div>
  );
}
