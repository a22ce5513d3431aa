import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/base/durations.ts';
import { describeOnBoth } from '../support/engines.ts';
import { addPhoto, planDate } from '../support/factories.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';

describeOnBoth('a server whose clock is a month ahead', (engine) => {
  let storage: TestStorage;
  let app: TestApp;
  beforeEach(async () => {
    storage = await createTestStorage(engine);
  });
  afterEach(async () => {
    await app.close();
    await storage.remove();
  });

  const start = async (ahead: number) => {
    app = await startTestApp(engine, { storage, now: () => Date.now() + ahead });
  };
  /** Starts the server again, with its clock ahead, and waits until it has judged its clock. */
  const startAgain = async (ahead: number) => {
    await app.close();
    await start(ahead);
    await expect.poll(judgedAt).toBeGreaterThan(Date.now() + ahead - 2 * HOUR);
  };
  const clock = () =>
    app.db.read.selectFrom('scheduledJobs').selectAll().where('name', '=', 'clock').executeTakeFirst();
  /** The time of the last judgment, good or not. */
  const judgedAt = async () => {
    const { doneAt = 0, state } = (await clock()) ?? {};
    return (JSON.parse(state ?? '{}') as { jumpedAt?: number | null }).jumpedAt ?? doneAt ?? 0;
  };
  const photographs = async () => (await app.db.read.selectFrom('memories').select('id').execute()).length;
  const spaces = async () => (await app.db.read.selectFrom('couples').select('id').execute()).length;

  const trashAndAsk = async () => {
    await start(0);
    const { ada } = await registerCouple(app);
    const { id } = await addPhoto(ada, (await planDate(ada)).id, 1);
    await ada.call('DELETE /api/Memories/{id}', { params: { id } });
    await expect.poll(clock).toBeDefined();
    return ada;
  };
  const askToDelete = async (who: Partner) =>
    who.call('POST /api/couple/deletion', { body: { currentPassword: who.password } });

  it('empties no trash and deletes no space, until its clock has been right for a day', {
    tags: ['durability.store.5'],
  }, async () => {
    await askToDelete(await trashAndAsk());
    await startAgain(32 * DAY);
    expect([await photographs(), await spaces()]).toEqual([1, 1]);
    // Somebody notices, or not: it is still so an hour later, and right again with the right clock.
    await startAgain(32 * DAY + HOUR);
    expect([await photographs(), await spaces()]).toEqual([1, 1]);
    await startAgain(0);
    expect([await photographs(), await spaces()]).toEqual([1, 1]);
    // The clock was right: the month has passed, and the server was off.
    await startAgain(33 * DAY);
    await startAgain(34 * DAY + HOUR);
    await expect.poll(spaces, { timeout: 20_000 }).toBe(0);
    expect(await photographs()).toBe(0);
  });

  it('empties the trash as usual if it was off for a week', { tags: ['durability.store.5'] }, async () => {
    await trashAndAsk();
    for (const days of [7, 14, 21, 28]) await startAgain(days * DAY);
    expect(await photographs()).toBe(1);
    await startAgain(31 * DAY);
    await expect.poll(photographs, { timeout: 20_000 }).toBe(0);
  });
});
