import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { subscribeToEvents } from '../../../../tests/support/event-stream.ts';
import { addPhoto, completeDate } from '../../../../tests/support/factories.ts';
import { holdRequest } from '../../../../tests/support/hold-request.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { refuseDeletes } from '../../../../tests/support/refuse-deletes.ts';
import { joinAsBen, registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { untilSwept } from '../../../../tests/support/until-swept.ts';
import type { Change } from '../../../base/change.ts';
import { MINUTE } from '../../../base/durations.ts';
import type { CoupleId } from '../../../base/ids.ts';
import { tablePolicies } from '../../../base/server/db/tables/table-policies.ts';
import type { Tables } from '../../../base/server/db/tables/tables.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { takeJobLease } from '../../../base/server/jobs/job-store.ts';
import type { Memory } from '../../../memories/contract.ts';
import { sweepDeletions } from './deletion-sweep.ts';

const DAY = 86_400_000;
const notStopped = () => false;

/** Skips events until one says that the couple has changed, and returns that. */
async function untilCouple(heard: Awaited<ReturnType<typeof subscribeToEvents>>): Promise<Change> {
  let change = await heard.next();
  while (change.entity !== 'couple') change = await heard.next();
  return change;
}

describeOnBoth('leaving', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let ben: Partner;
  let deps: Deps;
  let memory: Memory;
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const sure = (who: Partner) => ({ body: { currentPassword: who.password } });
  const login = async ({ email, password }: Partner) =>
    (await new Caller(app.url).call('POST /api/auth/login', { body: { email, password } })).status;
  /**
   * Lists the stored files. A preview that is being stored while its space is deleted is there for a moment, until its
   * preview maker removes it.
   */
  const filesOf = (who: Partner) => Array.fromAsync(deps.files.list(who.user.couple.id));
  /** Counts the rows of all tables that contain the couple's id. */
  const rowsOf = async (who: Partner) => {
    let count = 0;
    for (const table of Object.keys(tablePolicies) as (keyof Tables)[]) {
      const rows = await app.db.read
        .selectFrom(table as 'ideas')
        .selectAll()
        .execute();
      count += rows.filter((row) => JSON.stringify(row).includes(who.user.couple.id)).length;
    }
    return count;
  };
  beforeEach(async () => {
    ahead = 0;
    app = await startTestApp(engine, { now });
    // It would label the store again after a test has.
    await untilSwept(app);
    ({ ada, ben } = await registerCouple(app));
    deps = await depsOf(app, now);
    const date = await completeDate(ada, { at: Date.now() - DAY, minutes: 60 });
    memory = await addPhoto(ben, date.id, 1);
    const other = await addPhoto(ben, date.id, 2);
    await ben.call('DELETE /api/Memories/{id}', { params: { id: other.id } });
  });
  afterEach(() => app.close());

  describe('of one partner', () => {
    it('ends only that account: the partner keeps everything, is notified, and may invite', {
      tags: ['accounts.leaving.1'],
    }, async () => {
      const heard = await subscribeToEvents(ada);
      expect((await ben.call('POST /api/auth/leave', { body: { currentPassword: 'not this one' } })).status).toBe(400);
      const left = await ben.call('POST /api/auth/leave', sure(ben));
      expect([left.status, left.headers.get('set-cookie')?.includes('Max-Age=0')]).toEqual([204, true]);
      expect((await untilCouple(heard)).action).toBe('updated');
      heard.close();
      expect((await ben.call('GET /api/auth/session')).status).toBe(401);
      expect(await login(ben)).toBe(401);
      expect((await ada.call('GET /api/Memories/{id}', { params: { id: memory.id } })).status).toBe(200);
      expect((await ada.call('GET /api/auth/session')).body.user.partner).toBeNull();
      expect((await ada.call('GET /api/Trash')).body[0]?.deletedBy.displayName).toBe('a partner who left');
      const again = await joinAsBen(app, ada, ben.email);
      expect((await again.call('GET /api/Memories')).body).toHaveLength(1);
    });

    it.each(['PUT /api/auth/profile', 'PUT /api/auth/password', 'POST /api/auth/leave'] as const)(
      'leaves nothing to %s when its body arrives afterwards',
      { tags: ['accounts.sessions.11'] },
      async (name) => {
        const names = { displayName: 'Ben', email: 'elsewhere@example.org' };
        const body = { ...names, currentPassword: ben.password, newPassword: 'another quiet evening' };
        ahead = 6 * MINUTE;
        const heldAt = now();
        const send = holdRequest(ben, name, { body });
        // A session that was not used for five minutes is saved as used once a request has passed authentication.
        const uses = app.db.read.selectFrom('sessions').select(({ fn }) => fn.max('lastUsedAt').as('at'));
        await expect.poll(async () => Number((await uses.executeTakeFirstOrThrow()).at)).toBeGreaterThanOrEqual(heldAt);
        expect((await ben.call('POST /api/auth/leave', sure(ben))).status).toBe(204);
        expect(await send()).toBe(401);
      },
    );

    it('is refused without a partner', async () => {
      await ben.call('POST /api/auth/leave', sure(ben));
      expect((await ada.call('POST /api/auth/leave', sure(ada))).status).toBe(409);
      expect(await login(ada)).toBe(200);
    });

    it('leaves one partner when both leave at the same time', async () => {
      const both = await Promise.all([ada, ben].map((who) => who.call('POST /api/auth/leave', sure(who))));
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
    });
  });

  describe('of both', () => {
    it('shows both, from then on, that one has asked, and that 30 days remain', {
      tags: ['accounts.leaving.2'],
    }, async () => {
      const heard = await subscribeToEvents(ben);
      const asked = await ada.call('POST /api/couple/deletion', sure(ada));
      expect(asked.body?.askedBy).toEqual({ id: ada.user.id, displayName: 'Ada' });
      expect(Date.parse(asked.body?.dueAt ?? '') - Date.parse(asked.body?.askedAt ?? '')).toBe(30 * DAY);
      expect((await untilCouple(heard)).action).toBe('updated');
      heard.close();
      expect((await ben.call('GET /api/couple/deletion')).body).toEqual(asked.body);
      // A second request changes nothing.
      expect((await ada.call('POST /api/couple/deletion', sure(ada))).body).toEqual(asked.body);
      expect((await ben.call('POST /api/couple/deletion', { body: { currentPassword: 'wrong one' } })).status).toBe(
        400,
      );
    });

    it('deletes everything at once when the second partner agrees, and nothing of other couples', {
      tags: ['accounts.leaving.2'],
    }, async () => {
      const { ada: eve } = await registerCouple(app);
      const photo = await addPhoto(eve, (await completeDate(eve, { at: Date.now() - DAY, minutes: 5 })).id, 3);
      expect((await filesOf(ada)).length).toBeGreaterThan(0);
      await ada.call('POST /api/couple/deletion', sure(ada));
      const { status, headers } = await ben.call('POST /api/couple/deletion', sure(ben));
      expect(status).toBe(204);
      // The photographs in the browser's cache go too.
      expect(headers.get('clear-site-data')).toBe('"cache"');
      expect(headers.get('set-cookie')).toMatch(/=; .*Max-Age=0/);
      expect([await login(ada), await login(ben)]).toEqual([401, 401]);
      expect((await ada.call('GET /api/Memories')).status).toBe(401);
      await expect.poll(() => filesOf(ada), { timeout: 20_000 }).toEqual([]);
      await expect.poll(() => rowsOf(ada)).toBe(0);
      expect((await eve.call('GET /api/Memories/{id}', { params: { id: photo.id } })).status).toBe(200);
      expect((await filesOf(eve)).length).toBeGreaterThan(0);
    });

    it('tells open pages why their session ends, before their streams do', {
      tags: ['accounts.leaving.3'],
    }, async () => {
      await ada.call('POST /api/couple/deletion', sure(ada));
      const streams = [await subscribeToEvents(ada), await subscribeToEvents(ben)];
      await ben.call('POST /api/couple/deletion', sure(ben));
      for (const stream of streams) {
        expect(await untilCouple(stream)).toMatchObject({ action: 'deleted', by: ben.user.id });
        await expect(stream.next()).rejects.toThrow('The event stream ended');
      }
    });

    it('replies after the commit and removes the files in the background, also after a crash', {
      tags: ['accounts.leaving.4'],
    }, async () => {
      const coupleId = ada.user.couple.id as CoupleId;
      const many = Array.from({ length: 250 }, (_, n) => `${coupleId}/${n.toString(16).padStart(32, '0')}.jpg`);
      for (const name of many) await deps.files.putBytes(name, Buffer.from('x'), 'image/jpeg');
      // Ignores previews, which are made at the same time.
      const ours = async () => (await filesOf(ada)).filter((name) => many.includes(name)).length;
      // A dead node has already started: no other node continues before its lease expires.
      const heldUntil = now() + 120_000;
      await deps.db.write((tx) => takeJobLease(tx, 'erasures', 'other', { now: now(), until: heldUntil }));
      await ada.call('POST /api/couple/deletion', sure(ada));
      expect((await ben.call('POST /api/couple/deletion', sure(ben))).status).toBe(204);
      await sweepDeletions(deps, notStopped);
      expect(await ours()).toBe(250);
      // Only for this node has the lease expired: the server, which was woken too, may still try to acquire it.
      const later = await depsOf(app, () => now() + 121_000);
      // A server that is shutting down stops after a batch; the next one continues.
      let asked = 0;
      await sweepDeletions(later, () => (asked += 1) > 2);
      const left = await ours();
      expect([left > 0, left < 250]).toEqual([true, true]);
      await sweepDeletions(later, notStopped);
      expect([await ours(), await rowsOf(ada)]).toEqual([0, 0]);
      await expect.poll(() => filesOf(ada), { timeout: 20_000 }).toEqual([]);
    });

    it('keeps the files of a restored space', { tags: ['accounts.leaving.4'] }, async () => {
      const coupleId = ada.user.couple.id as CoupleId;
      const before = await filesOf(ada);
      await deps.db.write((tx) => tx.insertInto('erasures').values({ coupleId, createdAt: now() }).execute());
      await sweepDeletions(deps, notStopped);
      // The previews are made at the same time.
      expect(await filesOf(ada)).toEqual(expect.arrayContaining(before));
      expect(await deps.db.read.selectFrom('erasures').selectAll().execute()).toEqual([]);
    });

    it('keeps the files if the store belongs to another database', { tags: ['durability.store.1'] }, async () => {
      const coupleId = randomUUID() as CoupleId;
      const name = `${coupleId}/${'0'.repeat(32)}.jpg`;
      await deps.files.putBytes(name, Buffer.from('x'), 'image/jpeg');
      await deps.db.write((tx) => tx.insertInto('erasures').values({ coupleId, createdAt: now() }).execute());
      await deps.files.writeLabel(JSON.stringify({ id: randomUUID(), sweeps: 0 }));
      await sweepDeletions(deps, notStopped);
      expect(await deps.files.size(name)).toBe(1);
    });

    it('can be withdrawn only by the partner who asked', async () => {
      expect((await ada.call('DELETE /api/couple/deletion')).status).toBe(404);
      await ada.call('POST /api/couple/deletion', sure(ada));
      expect((await ben.call('DELETE /api/couple/deletion')).status).toBe(409);
      expect((await ada.call('DELETE /api/couple/deletion')).status).toBe(204);
      expect((await ben.call('GET /api/couple/deletion')).status).toBe(204);
      ahead = 31 * DAY;
      await sweepDeletions(deps, notStopped);
      expect(await login(ada)).toBe(200);
    });
  });

  describe('of one, after thirty days', () => {
    it('deletes everything, and not a moment earlier', {
      tags: ['accounts.leaving.2', 'accounts.leaving.5'],
    }, async () => {
      await ada.call('POST /api/couple/deletion', sure(ada));
      ahead = 30 * DAY - 60_000;
      await sweepDeletions(deps, notStopped);
      expect(await login(ben)).toBe(200);
      expect((await filesOf(ada)).length).toBeGreaterThan(0);
      ahead = 30 * DAY + 60_000;
      const events: unknown[] = [];
      const log = Object.assign(Object.create(deps.log) as Deps['log'], {
        info: (what: unknown, message: string) => events.push([message, what]),
      });
      await sweepDeletions({ ...deps, log }, notStopped);
      expect(events).toEqual([['security event', { event: 'space deleted after its notice', user: ada.user.id }]]);
      expect([await login(ada), await login(ben)]).toEqual([401, 401]);
      expect(await rowsOf(ada)).toBe(0);
      await expect.poll(() => filesOf(ada)).toEqual([]);
    });

    it('deletes nothing if the photo store has seen a newer database, where it may have been withdrawn', {
      tags: ['durability.store.1'],
    }, async () => {
      await ada.call('POST /api/couple/deletion', sure(ada));
      const { id, sweeps } = await deps.db.read.selectFrom('storeIdentity').selectAll().executeTakeFirstOrThrow();
      await deps.files.writeLabel(JSON.stringify({ id, sweeps: sweeps + 1 }));
      ahead = 31 * DAY;
      await sweepDeletions(deps, notStopped);
      expect(await login(ben)).toBe(200);
      expect((await filesOf(ada)).length).toBeGreaterThan(0);
    });

    it('checks again before it deletes, so a request withdrawn at the last moment counts', async () => {
      await ada.call('POST /api/couple/deletion', sure(ada));
      ahead = 31 * DAY;
      const { body } = await new Caller(app.url).call('POST /api/auth/login', {
        body: { email: ada.email, password: ada.password },
      });
      const again = new Caller(app.url, body.token);
      // The sweep finds the deletion due, and it is withdrawn right before the transaction.
      const db = {
        ...deps.db,
        write: async <T>(work: Parameters<typeof deps.db.write<T>>[0]) => {
          await again.call('DELETE /api/couple/deletion');
          return deps.db.write(work);
        },
      };
      await sweepDeletions({ ...deps, db }, notStopped);
      expect(await login(ben)).toBe(200);
      expect((await filesOf(ada)).length).toBeGreaterThan(0);
    });

    it('continues with the files of an interrupted deletion', async () => {
      await ada.call('POST /api/couple/deletion', sure(ada));
      ahead = 31 * DAY;
      const files = { ...deps.files, remove: () => Promise.reject(new Error('the store is away')) };
      await sweepDeletions({ ...deps, files }, notStopped);
      expect(await login(ada)).toBe(401);
      expect((await filesOf(ada)).length).toBeGreaterThan(0);
      await sweepDeletions(deps, notStopped);
      await expect.poll(() => filesOf(ada)).toEqual([]);
      expect(await rowsOf(ada)).toBe(0);
    });

    it('goes on with the other spaces if one cannot be deleted, and tries that one again later', {
      tags: ['durability.store.9'],
    }, async () => {
      const { ada: eve } = await registerCouple(app);
      for (const who of [ada, eve]) await who.call('POST /api/couple/deletion', sure(who));
      ahead = 31 * DAY;
      const mend = await refuseDeletes(deps.db, 'deletions', ada.user.couple.id);
      await sweepDeletions(deps, notStopped);
      expect([await login(ada), await login(eve)]).toEqual([200, 401]);
      expect((await filesOf(ada)).length).toBeGreaterThan(0);
      await mend();
      await sweepDeletions(deps, notStopped);
      expect(await login(ada)).toBe(401);
      await expect.poll(() => filesOf(ada)).toEqual([]);
    });

    it('removes all other files if one cannot be removed, also of later spaces, and tries that one again later', {
      tags: ['durability.store.9'],
    }, async () => {
      const { ada: eve } = await registerCouple(app);
      await addPhoto(eve, (await completeDate(eve, { at: Date.now() - DAY, minutes: 5 })).id, 3);
      for (const who of [ada, eve]) await who.call('POST /api/couple/deletion', sure(who));
      ahead = 31 * DAY;
      const stuck = `${ada.user.couple.id}/${memory.fileName}`;
      let tries = 0;
      const remove = async (name: string) => {
        if (name !== stuck) return deps.files.remove(name);
        tries += 1;
        throw new Error('this file is stuck');
      };
      await sweepDeletions({ ...deps, files: { ...deps.files, remove } }, notStopped);
      await expect.poll(async () => [await filesOf(ada), await filesOf(eve)]).toEqual([[stuck], []]);
      expect(tries).toBe(1);
      await sweepDeletions(deps, notStopped);
      expect(await filesOf(ada)).toEqual([]);
      expect(await rowsOf(ada)).toBe(0);
    });

    it('is cancelled when the partner who asked leaves', async () => {
      await ada.call('POST /api/couple/deletion', sure(ada));
      await ada.call('POST /api/auth/leave', sure(ada));
      expect((await ben.call('GET /api/couple/deletion')).status).toBe(204);
      ahead = 31 * DAY;
      await sweepDeletions(deps, notStopped);
      expect(await login(ben)).toBe(200);
    });
  });
});
