import { sql } from 'kysely';
import type { CoupleId } from '../../ids.ts';
import { type ChangeNotification, channelOf, parseNotification } from './change-notifications.ts';
import { Channels } from './channels.ts';
import type { Live } from './live.ts';
import { createLocalListeners } from './local-listeners.ts';

/**
 * The health check listens to a channel to which nobody announces: that fails on a server that rejects writes, and otherwise
 * does no harm when repeated.
 */
const HEALTH_CHECK = { everyMs: 5_000, timeoutMs: 3_000, query: 'listen our_love_story_health' };

/**
 * Live changes between nodes. `pg_notify` announces a change in its own transaction, on the couple's channel, and each node
 * has one connection that listens to the channels of the couples whose pages it holds. When that connection was lost and
 * is back, the gap listeners are called. The promise resolves when the node listens, or after the first failed attempt.
 */
export async function openPostgresLive(
  databaseUrl: string,
  onError: (error: unknown) => void,
  checking: Partial<typeof HEALTH_CHECK> = {},
): Promise<Live> {
  const local = createLocalListeners();
  /** The couples to which this node listens: for each when LISTEN is in effect, and whether it is. */
  const listening = new Map<CoupleId, { readonly active: Promise<void>; isActive: boolean }>();
  const channels = new Channels(databaseUrl, {
    onError,
    onGap: local.notifyGap,
    onNotification: (payload) => {
      const parsed = parseNotification(payload);
      if (!parsed) return onError(new Error('Ignored an invalid notification'));
      if ('privateChange' in parsed) local.notify(parsed.coupleId, parsed.privateChange, parsed.only);
      else local.notify(parsed.coupleId, parsed.change, undefined);
    },
    check: { ...HEALTH_CHECK, ...checking },
  });
  const startListening = (coupleId: CoupleId) => {
    const active = channels.join(channelOf(coupleId)).then(() => {
      started.isActive = true;
      local.remember(coupleId);
    });
    const started = { active, isActive: false };
    listening.set(coupleId, started);
    return started;
  };
  await channels.connected;
  return {
    announce: async (tx, coupleId, change, only) => {
      const payload: ChangeNotification =
        only === undefined ? { coupleId, change } : { coupleId, privateChange: change, only };
      await sql`select pg_notify(${channelOf(coupleId)}, ${JSON.stringify(payload)})`.execute(tx);
    },
    listen: (coupleId, listener) => {
      const stop = local.listen(coupleId, listener);
      const { active, isActive } = listening.get(coupleId) ?? startListening(coupleId);
      return {
        active,
        hasListened: isActive,
        stop: () => {
          stop();
          if (local.isListening(coupleId)) return;
          listening.delete(coupleId);
          channels.leave(channelOf(coupleId));
        },
      };
    },
    sinceLastChange: local.sinceLastChange,
    onGap: local.onGap,
    close: () => channels.close(),
  };
}
