import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sqliteAndDisk } from '../../../../tests/support/engines.ts';
import { createTestStorage, type TestStorage } from '../../../../tests/support/test-storage.ts';
import type { Change } from '../../../base/change.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Db } from '../../../base/server/db/db.ts';
import { openDb } from '../../../base/server/db/open.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Live } from '../../../base/server/live/live.ts';
import { openLocalLive } from '../../../base/server/live/local-live.ts';
import { openEventStreams } from './event-streams.ts';

describe('the streams of one node', () => {
  const session: Session = { coupleId: 'couple' as CoupleId, userId: 'user' as UserId, sessionId: 'session' };
  const change: Change = { entity: 'memory', id: 'memory', action: 'created', by: session.userId };
  let storage: TestStorage;
  let db: Db;
  let live: Live;
  beforeEach(async () => {
    storage = await createTestStorage(sqliteAndDisk);
    db = await openDb({ dataDir: storage.env.DATA_DIR ?? '', databaseUrl: null, databaseDirectUrl: null });
    live = openLocalLive();
  });
  afterEach(async () => {
    await db.close();
    await storage.remove();
  });
  const open = async (times: { heartbeatMs?: number; checkMs?: number } = {}) => {
    const events = openEventStreams({ db, live, now: Date.now } as Deps, times);
    const { stream } = await events.open(session);
    if (stream === null) throw new Error('No stream');
    expect(String(stream.read())).toBe('retry: 500\n\n');
    return { events, stream };
  };

  it('send a heartbeat', async () => {
    const { events, stream } = await open({ heartbeatMs: 1 });
    await once(stream, 'readable');
    expect(String(stream.read())).toMatch(/^(:\n\n)+$/);
    events.close();
  });

  it('end soon after their session has ended on another node', { tags: ['wire.live.1'] }, async () => {
    const { events, stream } = await open({ checkMs: 1 });
    await once(stream.resume(), 'end');
    events.close();
  });

  it('are disconnected if the client does not read, instead of filling the memory', async () => {
    const { events, stream } = await open();
    const announce = (times: number) =>
      db.write(async (tx) => {
        for (let i = 0; i < times; i += 1) await live.announce(tx, session.coupleId, change);
      });
    await announce(100);
    expect(stream.destroyed).toBe(false);
    await announce(1_000);
    expect(stream.destroyed).toBe(true);
    events.close();
  });

  it('open only once the node listens to their couple, and keep what it hears meanwhile', {
    tags: ['wire.live.8'],
  }, async () => {
    const { promise: active, resolve: activate } = Promise.withResolvers<void>();
    const slowLive: Live = { ...live, listen: (...args) => ({ ...live.listen(...args), active }) };
    const events = openEventStreams({ db, live: slowLive, now: Date.now } as Deps);
    let isOpen = false;
    const opening = events.open(session).finally(() => {
      isOpen = true;
    });
    await db.write((tx) => live.announce(tx, session.coupleId, change));
    expect(isOpen).toBe(false);
    activate();
    const { stream } = await opening;
    events.close();
    expect(await text(stream)).toBe(`retry: 500\n\nevent: change\ndata: ${JSON.stringify(change)}\n\n`);
  });

  it('count a change that only one of the two may know as the last change for that one alone', {
    tags: ['wire.live.4'],
  }, async () => {
    let now = 1_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const { announce, sinceLastChange } = openLocalLive();
    const since = () => ['user', 'partner'].map((id) => sinceLastChange(session.coupleId, id as UserId));
    now = 2_000;
    await db.write((tx) => announce(tx, session.coupleId, change));
    now = 3_000;
    await db.write((tx) => announce(tx, session.coupleId, change, session.userId));
    now = 7_000;
    expect(since()).toEqual([4_000, 5_000]);
  });

  it('say at most a minute since the last change', { tags: ['wire.live.4'] }, async () => {
    let now = 1_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const { announce, sinceLastChange } = openLocalLive();
    await db.write((tx) => announce(tx, session.coupleId, change));
    now = 3_600_000;
    expect(sinceLastChange(session.coupleId, session.userId)).toBe(60_000);
  });

  it('remember the last changes of many couples, and are in doubt about the others', {
    tags: ['wire.live.4'],
  }, async () => {
    const since = () => live.sinceLastChange('stranger' as CoupleId, session.userId);
    const start = performance.now();
    expect(since()).toBeGreaterThan(performance.now() - start);
    await db.write(async (tx) => {
      for (let n = 0; n <= 10_000; n += 1) await live.announce(tx, `couple ${n}` as CoupleId, change);
    });
    expect(since()).toBeLessThanOrEqual(performance.now() - start);
    expect(live.sinceLastChange('couple 1' as CoupleId, session.userId)).toBeLessThanOrEqual(since());
  });

  it('accept no new ones after closing', async () => {
    const { events, stream } = await open();
    events.close();
    await once(stream.resume(), 'end');
    const late = (await events.open(session)).stream?.resume();
    if (late) await once(late, 'end');
  });
});
