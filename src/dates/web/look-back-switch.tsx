import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { CheckField } from '../../kit/web/forms/check-field.tsx';
import type { PlannedDate } from '../contract.ts';
import { useLookBack } from './queries.ts';

export const LOOK_BACK_FAILED = 'Failed to save this. Please try again.';

/** Whether the year ago and a year's photographs show a date to this user. */
export function LookBackSwitch({ date }: { date: PlannedDate }) {
  const { mutate, isPending, variables } = useLookBack();
  const notify = useNotify();
  return (
    <CheckField
      role="switch"
      label="Show when we look back"
      checked={isPending ? variables.shown : (date.lookBack ?? true)}
      onChange={({ target }) =>
        mutate({ id: date.id, shown: target.checked }, { onError: () => notify.alert(LOOK_BACK_FAILED) })
      }
    />
  );
}
