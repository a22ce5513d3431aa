import DateModePage from '../../../date-mode/web/date-mode-page.tsx';
import { useRunningDates } from '../../../home/web/queries.ts';

/** Date mode, with the dates that the dashboard knows. */
export default function DateModeScreen() {
  return <DateModePage useRunningDates={useRunningDates} />;
}
