import SettingsPage from '../../../auth/web/settings/settings-page.tsx';
import { CalendarSetting } from '../../../dates/web/calendar-setting.tsx';
import { Safekeeping } from '../../../keeping/web/safekeeping.tsx';
import { RecentlyDeleted } from '../../../memories/web/recently-deleted.tsx';
import { RemindersSetting } from '../../../reminders/web/reminders-setting.tsx';

/** The settings page, with the sections of all slices. */
export default function SettingsScreen() {
  return (
    <SettingsPage>
      <RemindersSetting />
      <CalendarSetting />
      <RecentlyDeleted />
      <Safekeeping />
    </SettingsPage>
  );
}
