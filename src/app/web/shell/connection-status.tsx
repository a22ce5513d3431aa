import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { User } from '../../../auth/contract.ts';
import { loadForget, renew } from '../../../auth/web/session/session.ts';
import { loadSignOutQuestion } from '../../../auth/web/session/use-sign-out.ts';
import { plural } from '../../../base/text.ts';
import { beginSeeing } from '../../../base/web/last-seen.ts';
import { sendKept } from '../../../base/web/outbox.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { useOutbox } from '../../../kit/web/feedback/outbox-list.tsx';
import { resubscribe } from '../../../reminders/web/resubscribe.ts';
import css from './connection-status.module.css';

/** How long a server that could not be reached, though the browser is online, is left alone. */
const AGAIN_MS = 15_000;

/**
 * How this device stands to the server: offline or not, and what waits to be sent (contract 5). It also does what that
 * asks for: it looks for the server again, sends what waits, and keeps for whom things are seen.
 */
export function ConnectionStatus({ user, away }: { user: User; away: boolean }) {
  const online = useOnline();
  const waiting = useSending(user.id, online && !away);
  useEffect(() => {
    if (!away) void beginSeeing(user);
  }, [user, away]);
  useEffect(() => {
    if (!away) resubscribe().catch(() => undefined);
  }, [away]);
  useEffect(() => void Promise.allSettled([loadForget(), loadSignOutQuestion()]), []);
  useComingBack(away && online);
  return (
    <div className={css.status} role="status">
      {!online && <p>We are offline. This is what we saw last.</p>}
      {online && away && <p>We cannot reach our album just now. This is what we saw last.</p>}
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

/** Asks for a token when the network is back, and then now and again; with it everything is asked for anew. */
function useComingBack(wanted: boolean): void {
  const queries = useQueryClient();
  const back = useEffectEvent(() => void queries.invalidateQueries());
  useEffect(() => {
    if (!wanted) return undefined;
    void renew();
    const timer = setInterval(() => void renew(), AGAIN_MS);
    return () => {
      clearInterval(timer);
      back();
    };
  }, [wanted]);
}

/** Sends what waits as soon as it can; answers how much still waits. */
function useSending(owner: string, possible: boolean): number {
  const queries = useQueryClient();
  const notify = useNotify();
  const waiting = useOutbox(owner).filter(({ refused }) => refused === null).length;
  const send = useEffectEvent(async () => {
    const saved = await sendKept(owner);
    if (saved === 0) return;
    notify.status('What we added while we were offline is saved.');
    await queries.invalidateQueries();
  });
  useEffect(() => {
    if (!possible || waiting === 0) return undefined;
    const tryToSend = () => void send().catch(() => undefined);
    tryToSend();
    const timer = setInterval(tryToSend, AGAIN_MS);
    return () => clearInterval(timer);
  }, [possible, waiting]);
  return waiting;
}
