import { Setting } from '../../auth/web/settings/setting.tsx';
import { useAlive } from '../../base/web/alive.tsx';
import { Async } from '../../base/web/async.tsx';
import { ErrorCard } from '../../kit/web/feedback/empty-state.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { SwitchField } from '../../kit/web/forms/check-field.tsx';
import { REMINDERS } from '../rules.ts';
import { type Reminders, useChoose, useReminders, useSubscription } from './queries.ts';
import css from './reminders-setting.module.css';
import { type PushBlocker, pushBlocker } from './subscribe.ts';

const BLOCKER_TEXTS: Readonly<Record<PushBlocker, string>> = {
  unsupported: 'This browser cannot show reminders.',
  install: 'Reminders come once our album is on the home screen: Share, then ‘Add to Home Screen’.',
  blocked: 'Notifications are blocked for our album. You can allow them in the settings of this browser.',
};

/** 'Reminders' of the settings: whether this device is told, and what of (issue 5, Reminders). */
export function RemindersSetting() {
  return (
    <Setting name="Reminders" words="A word from our album, also while it is closed">
      <Async
        query={useReminders()}
        loading={<Loading message="Looking for your reminders..." size="small" />}
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
      </Async>
    </Setting>
  );
}

function ThisDevice({ publicKey, subscribed }: Reminders) {
  const alive = useAlive();
  const notify = useNotify();
  const tell = useSubscription(publicKey);
  const inTheWay = alive ? pushBlocker() : null;
  const told = tell.isPending ? tell.variables : subscribed;
  const toggle = (on: boolean) => {
    if (tell.isPending) return;
    tell.mutate(on, {
      onSuccess: (now) => {
        if (on && !now) notify.alert('Without your permission we cannot remind you here.');
        else notify.status(now ? 'You are reminded here from now on' : 'You are reminded here no more');
      },
      onError: () => notify.alert('Failed to change your reminders. Please try again.'),
    });
  };
  return (
    <SwitchField
      label="Remind me here"
      checked={told}
      disabled={inTheWay !== null && !subscribed}
      hint={inTheWay && BLOCKER_TEXTS[inTheWay]}
      onChange={(event) => toggle(event.target.checked)}
    />
  );
}

/** The four kinds: what this user wants, on whichever device. */
function Kinds({ choices }: Reminders) {
  const notify = useNotify();
  const choose = useChoose();
  const failed = () => notify.alert('Failed to change your reminders. Please try again.');
  return (
    <fieldset className={css.kinds}>
      <legend className="aside">What of, on all your devices</legend>
      {REMINDERS.map(({ kind, label }) => (
        <SwitchField
          key={kind}
          label={label}
          checked={choices[kind]}
          onChange={(event) => choose.mutate({ [kind]: event.target.checked }, { onError: failed })}
        />
      ))}
    </fieldset>
  );
}
