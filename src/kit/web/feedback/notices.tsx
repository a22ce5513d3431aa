import { X } from 'lucide-react';
import { createContext, type ReactNode, use, useEffect, useEffectEvent, useState } from 'react';
import { useTimer } from '../../../base/web/device/timers.ts';
import { cx } from '../cx.ts';
import { Button, ButtonLink } from '../forms/button.tsx';
import { IconButton } from '../forms/icon-button.tsx';
import { Banner } from './banner.tsx';
import css from './notices.module.css';
import { usePointerOrFocus } from './use-pointer-or-focus.ts';

/** The action of a status notice: a button such as 'Undo', or a link. */
export type NoticeAction = {
  label: string;
  /** The notice stays until the action is pressed or the notice is dismissed. */
  stays?: boolean;
} & ({ run: () => void } | { href: string });

export interface Notify {
  /** Shows a status such as 'Date deleted', with Undo if possible. It disappears by itself, unless hovered or focused. */
  status: (text: string, action?: NoticeAction) => void;
  /** Shows an alert until it is dismissed. The same text is not shown twice. */
  alert: (text: string) => void;
}

interface Notice {
  key: number;
  text: string;
  action?: NoticeAction | undefined;
}

/** How long a status is shown, in milliseconds. Longer if it has an action. */
const STATUS_MS = 5000;
const STATUS_WITH_ACTION_MS = 10000;
/** More notices at once would cover the page. */
const MAX_NOTICES = 3;

const NotifyContext = createContext<Notify>({ status: () => {}, alert: () => {} });
const PlaceContext = createContext<HTMLElement | null>(null);

/**
 * Provides `useNotify` and shows its notices. It wraps the app, and the content of each `Dialog`. A status that is shown
 * when the dialog closes continues outside.
 */
export function NotifyProvider({ children }: { children: ReactNode }) {
  const [statuses, setStatuses] = useState<Notice[]>([]);
  const [alerts, setAlerts] = useState<Notice[]>([]);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const [notify] = useState<Notify>(() => {
    let last = 0;
    const newNotice = (text: string, action?: NoticeAction): Notice => {
      last += 1;
      return { key: last, text, action };
    };
    return {
      status: (text, action) => {
        const notice = newNotice(text, action);
        setStatuses((now) => [...now, notice].slice(-MAX_NOTICES));
      },
      alert: (text) => {
        const notice = newNotice(text);
        setAlerts((now) => [...now.filter((one) => one.text !== text), notice].slice(-MAX_NOTICES));
      },
    };
  });
  const outer = use(NotifyContext);
  const handOver = useEffectEvent(() => {
    for (const { text, action } of statuses) outer.status(text, action);
  });
  useEffect(() => () => handOver(), []);
  const without = (key: number) => (now: Notice[]) => now.filter((one) => one.key !== key);
  return (
    <NotifyContext value={notify}>
      <PlaceContext value={place}>{children}</PlaceContext>
      <div className={css.notices}>
        <div ref={setPlace} />
        <div>
          {alerts.map(({ key, text }) => (
            <Banner key={key} className={css.alert} onDismiss={() => setAlerts(without(key))}>
              {text}
            </Banner>
          ))}
        </div>
        {/* The region exists before its text: screen readers announce only what is added to a known region. */}
        <div role="status">
          {statuses.map(({ key, ...notice }) => (
            <Status key={key} {...notice} onGone={() => setStatuses(without(key))} />
          ))}
        </div>
      </div>
    </NotifyContext>
  );
}

/** The element of the notices, for a portal that must not overlap them. Null on the first render. */
export function useNoticePlace(): HTMLElement | null {
  return use(PlaceContext);
}

/** Returns the functions that show notices: `notify.status('Date deleted', { label: 'Undo', run })`. */
export function useNotify(): Notify {
  return use(NotifyContext);
}

function Status({ text, action, onGone }: Omit<Notice, 'key'> & { onGone: () => void }) {
  const hold = usePointerOrFocus();
  useTimer(hold.isHeld || action?.stays ? null : text, action ? STATUS_WITH_ACTION_MS : STATUS_MS, onGone);
  const leave = () => {
    hold.returnFocus();
    onGone();
  };
  return (
    <div className={css.status} {...hold.props}>
      <span className={css.text}>{text}</span>
      {action && (
        <>
          {'href' in action ? (
            <ButtonLink variant="text" className={cx(css.action)} href={action.href} onClick={onGone}>
              {action.label}
            </ButtonLink>
          ) : (
            <Button
              variant="text"
              className={cx(css.action)}
              onClick={() => {
                action.run();
                leave();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label="Dismiss" icon={<X />} onClick={leave} />
        </>
      )}
    </div>
  );
}
