import { X } from 'lucide-react';
import { createContext, type FocusEvent, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { cx } from '../cx.ts';
import { Button } from '../forms/button.tsx';
import { IconButton } from '../forms/icon-button.tsx';
import { Banner } from './banner.tsx';
import css from './notices.module.css';

/** What a `status` message may offer: 'Undo'. */
export interface NoticeAction {
  label: string;
  run: () => void;
  /** It stands until somebody has pressed it or put it away. */
  stays?: boolean;
}

export interface Notify {
  /** 'Date deleted', with Undo where that is possible. Goes by itself, unless it is looked at. */
  status: (text: string, action?: NoticeAction) => void;
  /** The spec's alert; stands until it is dismissed. The same text is not shown twice. */
  alert: (text: string) => void;
}

interface Notice {
  key: number;
  text: string;
  action?: NoticeAction | undefined;
}

/** Milliseconds a message stays; longer where there is something to press. */
const STAYS = 5000;
const STAYS_WITH_ACTION = 10000;
/** More at once would cover the page. */
const AT_ONCE = 3;

const NotifyContext = createContext<Notify>({ status: () => {}, alert: () => {} });
const PlaceContext = createContext<HTMLElement | null>(null);

/**
 * Shows what `useNotify` is told. Stands once around the app, and once more inside every modal `dialog`, since what is
 * outside an open one can be neither heard nor pressed.
 */
export function NotifyProvider({ children }: { children: ReactNode }) {
  const [statuses, setStatuses] = useState<Notice[]>([]);
  const [alerts, setAlerts] = useState<Notice[]>([]);
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const last = useRef(0);
  const [notify] = useState<Notify>(() => {
    const next = () => {
      last.current += 1;
      return last.current;
    };
    return {
      status: (text, action) => {
        const notice = { key: next(), text, action };
        setStatuses((now) => [...now, notice].slice(-AT_ONCE));
      },
      alert: (text) => {
        const notice = { key: next(), text };
        setAlerts((now) => [...now.filter((one) => one.text !== text), notice].slice(-AT_ONCE));
      },
    };
  });
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
        {/* The region stands before its text: a reader hears only what is added to one it knows. */}
        <div role="status">
          {statuses.map(({ key, ...notice }) => (
            <Status key={key} {...notice} onGone={() => setStatuses(without(key))} />
          ))}
        </div>
      </div>
    </NotifyContext>
  );
}

/** Where something else may stand among the notices, by a portal, so that neither covers the other; null at first. */
export function useNoticePlace(): HTMLElement | null {
  return use(PlaceContext);
}

/** Tells what was done or what failed: `notify.status('Date deleted', { label: 'Undo', run })`. */
export function useNotify(): Notify {
  return use(NotifyContext);
}

function Status({ text, action, onGone }: Omit<Notice, 'key'> & { onGone: () => void }) {
  const [held, setHeld] = useState(false);
  const cameFrom = useRef<EventTarget | null>(null);
  const gone = useRef(onGone);
  useEffect(() => {
    gone.current = onGone;
  });
  useEffect(() => {
    if (held || action?.stays) return;
    const timer = setTimeout(() => gone.current(), action ? STAYS_WITH_ACTION : STAYS);
    return () => clearTimeout(timer);
  }, [held, action]);

  const enter = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget;
    setHeld(true);
  };
  const leave = () => {
    // It takes the focused button along: the focus goes back to where it came from.
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
    onGone();
  };
  return (
    <div
      className={css.status}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={enter}
      onBlur={() => setHeld(false)}
    >
      <span className={css.text}>{text}</span>
      {action && (
        <>
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
          <IconButton label="Dismiss" icon={<X />} onClick={leave} />
        </>
      )}
    </div>
  );
}
