import { useUser } from '../../../auth/web/session/use-session.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { paths } from '../../../paths.ts';
import type { PlannedDate } from '../../contract.ts';
import { correctionBody } from '../../correction-form.ts';
import { presentTexts } from '../../optional-texts.ts';
import type { RecordForm } from '../../record-form.ts';
import { dayAndTime } from '../../time-texts.ts';
import { useCorrectDate } from './past-queries.ts';

const SAVED_OFFLINE = 'Our correction is saved on this device and will be sent when we are online again.';

/**
 * Returns a function that corrects what happened on a date, over the version with the ETag `ifMatch`, and says so.
 * @throws ApiError
 */
export function useSaveRecord(id: string) {
  const zone = deviceZone();
  const notify = useNotify();
  const owner = useUser().id;
  const correctDate = useCorrectDate(id);
  return async (form: RecordForm, base: PlannedDate, ifMatch: string | null): Promise<void> => {
    const body = correctionBody(form, base, zone);
    const lines = [dayAndTime(body.actualStartTime, zone), ...presentTexts(body)];
    const keep = { owner, form, path: paths.recordDate(id), title: base.dateIdea.title, lines };
    const saved = await correctDate({ body, ifMatch, keep });
    notify.status(saved === null ? SAVED_OFFLINE : 'Our date is corrected.');
  };
}
