import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';
import { type Partner, registerCouple } from '../support/client.ts';
import { describeOnBoth, newPlace, type Place, postgresAndS3 } from '../support/engines.ts';
import { makeJpeg } from '../support/images.ts';
import { planDate, upload } from '../support/memories.ts';
import { openRival, type Rival } from '../support/rival.ts';
import { type SpawnedServer, spawnServer } from '../support/spawn-server.ts';
import { begin, idOf, sendPiece, standingOf } from '../support/tus.ts';

/** A node that is stopped in the middle of a create and goes on when another one has done its work. */

describeOnBoth('a node that was stopped', (engine) => {
  it.skipIf(process.platform === 'win32')('and killed leaves its Idempotency-Key to a retry', async () => {
    const place = await newPlace(engine);
    const photo = await makeJpeg({ seed: 1 });
    const key = randomUUID();
    const doomed = await spawnServer(place, { dieAt: 'judged' });
    const { ada } = await registerCouple(doomed);
    const dateId = await planDate(ada);
    await expect(upload(ada, photo, { dateId }, key)).rejects.toThrow('fetch failed');
    await doomed.ended;
    // At once on SQLite, which one process has to itself; with other nodes about, once the claim has run out.
    const later = engine === postgresAndS3 ? 60_000 : 0;
    const next = await startTestApp(engine, { place, now: () => Date.now() + later });
    expect((await upload(ada.at(next), photo, { dateId }, key)).status).toBe(201);
    await next.close();
    await place.remove();
  });

  if (engine !== postgresAndS3) return;

  describe('and goes on', () => {
    let place: Place;
    let stopped: SpawnedServer;
    let other: SpawnedServer;
    let rival: Rival;
    let ada: Partner;
    beforeEach(async () => {
      place = await newPlace(engine);
      [stopped, other] = [await spawnServer(place), await spawnServer(place)];
      rival = await openRival(place);
      ({ ada } = await registerCouple(stopped));
    });
    afterEach(async () => {
      process.kill(stopped.pid, 'SIGCONT');
      await Promise.all([stopped.kill('SIGKILL'), other.kill('SIGKILL')]);
      await rival.close();
      await place.remove();
    });

    /** Stops the node while its call waits to insert into a table; what it claimed runs out. */
    async function stopAt<T>(table: string, call: () => Promise<T>): Promise<{ calling: Promise<T> }> {
      await rival.query('begin');
      await rival.query(`lock table "${table}" in share mode`);
      const calling = call();
      await rival.untilBlocked();
      process.kill(stopped.pid, 'SIGSTOP');
      await rival.query('commit');
      await rival.query('update replies set "claimedUntil" = 0 where status is null');
      await rival.query('update uploads set "lockedUntil" = 0');
      return { calling };
    }
    const goOn = () => process.kill(stopped.pid, 'SIGCONT');

    const addIdea = (who: Partner, key: string) =>
      who.call(
        'POST /api/DateIdeas',
        { body: { title: 'Once only', category: 'Food' } },
        { headers: { 'idempotency-key': key } },
      );
    const ideas = async () => (await ada.at(other).call('GET /api/DateIdeas')).body.map(({ id }) => id);

    it('creates nothing a second time: both get the first answer', async () => {
      const key = randomUUID();
      const { calling } = await stopAt('ideas', () => addIdea(ada, key));
      const first = await addIdea(ada.at(other), key);
      expect(first.status).toBe(201);
      goOn();
      const late = await calling;
      expect([late.status, late.body.id]).toEqual([201, first.body.id]);
      expect(await ideas()).toEqual([first.body.id]);
    });

    it('adds no photograph again that was deleted meanwhile', async () => {
      const key = randomUUID();
      const photo = await makeJpeg({ seed: 2 });
      const dateId = await planDate(ada);
      const { calling } = await stopAt('pendingFiles', () => upload(ada, photo, { dateId }, key));
      const first = await upload(ada.at(other), photo, { dateId }, key);
      expect(first.status).toBe(201);
      await ada.at(other).call('DELETE /api/Memories/{id}', { params: { id: first.body.id } });
      goOn();
      const late = await calling;
      expect([late.status, late.body.id]).toEqual([201, first.body.id]);
      expect((await ada.at(other).call('GET /api/Memories')).body).toEqual([]);
    });

    it('adds no photograph in pieces again, though nobody gave it a key', async () => {
      const photo = await makeJpeg({ seed: 3 });
      const dateId = await planDate(ada);
      const id = idOf(await begin(ada, photo.length, { dateId }));
      const { calling } = await stopAt('pendingFiles', () => sendPiece(ada, id, 0, photo));
      const there = ada.at(other);
      expect((await sendPiece(there, id, photo.length, Buffer.alloc(0))).status).toBe(204);
      const { memory } = await standingOf(there, id);
      expect(memory).not.toBeNull();
      await there.call('DELETE /api/Memories/{id}', { params: { id: memory ?? '' } });
      goOn();
      const late = await calling;
      expect([late.status, late.headers.get('retry-after')]).toEqual([409, '1']);
      expect((await there.call('GET /api/Memories')).body).toEqual([]);
      expect((await standingOf(there, id)).memory).toBe(memory);
    });
  });
});
