import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/support/app.ts';
import { type Partner, registerCouple } from '../../../tests/support/client.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { insertIdea } from '../../ideas/server/store.ts';
import type { CoupleId } from '../ids.ts';
import { Answer } from './answer.ts';
import type { Db } from './db/db.ts';
import { ClaimLost, claimKey } from './replies.ts';
import { keyed } from './serve.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

describeOnBoth('a claim on an Idempotency-Key', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let coupleId: CoupleId;
  let time = Date.now();
  const now = () => time;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada } = await registerCouple(app));
    coupleId = ada.user.couple.id as CoupleId;
  });
  afterAll(() => app.close());

  /** Creates an idea with a key; `pause` runs before its transaction. */
  const create = (key: string, title: string, pause: () => Promise<unknown> = async () => undefined) =>
    keyed<Answer<string>>(
      { db: app.db, now },
      { name: 'POST /api/DateIdeas', coupleId, key, json: 'the same' },
      async ({ create }) => {
        await pause();
        return create(async (tx) => {
          const fields = { title, description: null, category: 'Food', isActive: true };
          return new Answer((await insertIdea(tx, coupleId, fields, time)).title, { status: 201 });
        });
      },
    );
  const titles = async () => (await ada.call('GET /api/DateIdeas')).body.map(({ title }) => title).sort();

  it('creates nothing after it expired and another request took the key, and gets that reply', async () => {
    const key = randomUUID();
    const stopped = await create(key, 'by the stopped one', async () => {
      time += MINUTE;
      expect((await create(key, 'by the other')).body).toBe('by the other');
    });
    expect([stopped.status, stopped.body]).toEqual([201, 'by the other']);
    expect(await titles()).toEqual(['by the other']);
  });

  it('answers 409 with Retry-After if the request that took the key is still running', async () => {
    const key = randomUUID();
    const gate = Promise.withResolvers<void>();
    const other = Promise.withResolvers<unknown>();
    const stopped = create(key, 'by the late one', async () => {
      time += MINUTE;
      const started = Promise.withResolvers<void>();
      other.resolve(
        create(key, 'by the running one', async () => {
          started.resolve();
          await gate.promise;
        }),
      );
      await started.promise;
    });
    await expect(stopped).rejects.toMatchObject({ status: 409, retryAfter: 1 });
    gate.resolve();
    await other.promise;
    expect(await titles()).toEqual(['by the other', 'by the running one']);
  });

  it('stays valid after it expired if no other request took the key', async () => {
    const late = await create(randomUUID(), 'late', async () => {
      time += MINUTE;
    });
    expect(late.body).toBe('late');
  });

  it('doesn’t block a key if its server died while its clock was wrong', async () => {
    const key = randomUUID();
    const wrong = now() + 40 * DAY;
    (await claimKey(app.db, coupleId, key, () => wrong)).end();
    expect((await create(key, 'by the next server')).body).toBe('by the next server');
  });

  it('doesn’t release a key that another request has taken', async () => {
    const key = randomUUID();
    const first = await claimKey(app.db, coupleId, key, now);
    time += MINUTE;
    const second = await claimKey(app.db, coupleId, key, now);
    await first.release();
    await expect(claimKey(app.db, coupleId, key, now)).rejects.toMatchObject({ status: 409 });
    const store = (claim: typeof first) => app.db.write((tx) => claim.store(tx, 'print', new Answer(null)));
    await expect(store(first)).rejects.toThrow(ClaimLost);
    await store(second);
    second.end();
  });

  describe('of a request that failed while the database was away', () => {
    const failing = (write: Db['write'], key: string, work: () => Promise<never>) =>
      keyed<Answer<string>>(
        { db: { ...app.db, write }, now },
        { name: 'POST /api/DateIdeas', coupleId, key, json: 'the same' },
        work,
      );
    const titleOf = (key: string, title: string) => create(key, title).then(({ body }) => body);

    it('is released once it is back', async () => {
      const key = randomUUID();
      let isAway = false;
      const write: Db['write'] = (work) => (isAway ? Promise.reject(new Error('away')) : app.db.write(work));
      const failed = failing(write, key, () => {
        isAway = true;
        return Promise.reject(new Error('lost'));
      });
      await expect(failed).rejects.toThrow('lost');
      await expect(create(key, 'too early')).rejects.toMatchObject({ status: 409 });
      isAway = false;
      await expect.poll(() => titleOf(key, 'released').catch(() => null), { timeout: 10_000 }).toBe('released');
    });

    it('is released too if only the answer to its COMMIT was lost', async () => {
      const key = randomUUID();
      let isLost = false;
      const write: Db['write'] = async (work) => {
        const result = await app.db.write(work);
        if (isLost) return result;
        isLost = true;
        throw new Error('lost');
      };
      await expect(failing(write, key, () => Promise.reject(new Error('not reached')))).rejects.toThrow('lost');
      await expect.poll(() => titleOf(key, 'its own').catch(() => null), { timeout: 10_000 }).toBe('its own');
    });
  });
});
