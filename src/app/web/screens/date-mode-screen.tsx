import { useReachable } from '../../../base/web/net/use-reachable.ts';
import DateModePage from '../../../date-mode/web/date-mode-page.tsx';
import { useRunningDates } from '../../../home/web/queries.ts';

/** Date mode, with the dates that the dashboard last showed, which are needed only without the server. */
export default function DateModeScreen() {
  const runningDates = useRunningDates(!useReachable());
  return <DateModePage runningDates={runningDates} />;
}
