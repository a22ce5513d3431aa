import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { User } from '../../../auth/contract.ts';
import { renew } from '../../../auth/web/session/session.ts';
import { plural } from '../../../base/text.ts';
import { sendOutbox } from '../../../base/web/storage/outbox.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { useOutbox } from '../../../kit/web/feedback/outbox-list.tsx';
import { resubscribe } from '../../../reminders/web/resubscribe.ts';
import css from './connection-status.module.css';
import { RefusedNotes } from './refused-notes.tsx';
import { sendFromDateMode } from './send-from-date-mode.ts';
import { UnsentShots } from './unsent-shots.tsx';

/** The interval between attempts to reach the server while the browser is online. */
const RETRY_MS = 15_000;

/**
 * Shows whether the server can be reached, and how many changes wait to be sent. It also reconnects, sends
 * the waiting changes, and resubscribes to reminders.
 */
export function ConnectionStatus({ user, unreachable }: { user: User; unreachable: boolean }) {
  const online = useOnline();
  const waiting = useSending(user.id, online && !unreachable);
  useEffect(() => {
    if (!unreachable) resubscribe().catch(() => undefined);
  }, [unreachable]);
  useReconnect(unreachable && online);
  useSendingOfDates(user.id, online && !unreachable);
  return (
    <div className={css.status} role="status" data-ui="connection">
      {!online && <p>We are offline. This is what we saw last.</p>}
      {online && unreachable && <p>We cannot reach our album just now. This is what we saw last.</p>}
      <UnsentShots owner={user.id} />
      <RefusedNotes owner={user.id} />
      {waiting > 0 && <p>{plural(waiting, 'thing')} waiting to be sent.</p>}
    </div>
  );
}

function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}

/** Renews the session until the server responds, then refetches all queries. */
function useReconnect(enabled: boolean): void {
  const queryClient = useQueryClient();
  const refetchAll = useEffectEvent(() => void queryClient.invalidateQueries());
  useEffect(() => {
    if (!enabled) return undefined;
    void renew();
    const timer = setInterval(() => void renew(), RETRY_MS);
    return () => {
      clearInterval(timer);
      refetchAll();
    };
  }, [enabled]);
}

/** Sends the waiting changes as soon as possible. Returns how many still wait. */
function useSending(owner: string, possible: boolean): number {
  const queryClient = useQueryClient();
  const notify = useNotify();
  const waiting = useOutbox(owner).filter(({ refused }) => refused === null).length;
  const send = useEffectEvent(async () => {
    const saved = await sendOutbox(owner);
    if (saved === 0) return;
    notify.status('What we added while we were offline is saved.');
    await queryClient.invalidateQueries();
  });
  useEffect(() => {
    if (!possible || waiting === 0) return undefined;
    const tryToSend = () => void send().catch(() => undefined);
    tryToSend();
    const timer = setInterval(tryToSend, RETRY_MS);
    return () => clearInterval(timer);
  }, [possible, waiting]);
  return waiting;
}

/** How often to look for what date mode has left. */
const DATES_MS = 60_000;

/** Sends the photographs and notes of date mode that waited for the network, on every screen. */
function useSendingOfDates(owner: string, possible: boolean): void {
  const queryClient = useQueryClient();
  const send = useEffectEvent(async () => {
    if ((await sendFromDateMode(owner)) > 0) await queryClient.invalidateQueries();
  });
  useEffect(() => {
    if (!possible) return undefined;
    const tryToSend = () => void send().catch(() => undefined);
    tryToSend();
    const timer = setInterval(tryToSend, DATES_MS);
    return () => clearInterval(timer);
  }, [possible]);
}
