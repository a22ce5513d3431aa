import { Setting } from '../../auth/web/settings/setting.tsx';
import { QueryContent } from '../../base/web/queries/query-content.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { CheckField } from '../../kit/web/forms/check-field.tsx';
import { REMINDERS } from '../rules.ts';
import { type Reminders, useChoose, useReminders, useSubscription } from './queries.ts';
import css from './reminders-setting.module.css';
import { type PushBlocker, pushBlocker } from './subscribe.ts';

const BLOCKER_TEXTS: Readonly<Record<PushBlocker, string>> = {
  unsupported: 'This browser cannot show reminders.',
  install: 'To get reminders, add our album to the home screen: Share, then ‘Add to Home Screen’.',
  blocked: 'Notifications are blocked for our album. You can allow them in this browser’s settings.',
};

/** The 'Reminders' section of the settings: this device's switch, and the kinds of reminders. */
export function RemindersSetting() {
  return (
    <Setting name="Reminders" subtitle="Notifications about our dates, even while the app is closed">
      <QueryContent
        query={useReminders()}
        loading={<Loading message="Loading your reminders..." size="small" />}
        error={(_, retry) => (
          <ErrorCard title={null} level={3} onRetry={retry}>
            Failed to load your reminders. Please try again.
          </ErrorCard>
        )}
      >
        {(reminders) => (
          <>
            <ThisDevice {...reminders} />
            <Kinds {...reminders} />
          </>
        )}
      </QueryContent>
    </Setting>
  );
}

function ThisDevice({ publicKey, subscribed }: Reminders) {
  const notify = useNotify();
  const subscription = useSubscription(publicKey);
  const blocker = pushBlocker();
  const checked = subscription.isPending ? subscription.variables : subscribed;
  const toggle = (on: boolean) => {
    if (subscription.isPending) return;
    subscription.mutate(on, {
      onSuccess: (now) => {
        if (on && !now) notify.alert('We need your permission to remind you here.');
        else notify.status(now ? 'Reminders are on for this device' : 'Reminders are off for this device');
      },
      onError: () => notify.alert('Failed to change your reminders. Please try again.'),
    });
  };
  return (
    <CheckField
      role="switch"
      label="Remind me here"
      checked={checked}
      disabled={blocker !== null && !subscribed}
      hint={blocker && BLOCKER_TEXTS[blocker]}
      onChange={(event) => toggle(event.target.checked)}
    />
  );
}

/** The switches of the kinds, which apply to all of the user's devices. */
function Kinds({ choices }: Reminders) {
  const notify = useNotify();
  const choose = useChoose();
  const failed = () => notify.alert('Failed to change your reminders. Please try again.');
  return (
    <fieldset className={css.kinds}>
      <legend className="aside">Remind me about, on all my devices</legend>
      {REMINDERS.map(({ kind, label }) => (
        <CheckField
          role="switch"
          key={kind}
          label={label}
          checked={choices[kind]}
          onChange={(event) => choose.mutate({ [kind]: event.target.checked }, { onError: failed })}
        />
      ))}
    </fieldset>
  );
}
