import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CompetingConnection, openCompetingConnection } from '../support/competing-connection.ts';
import { describeOnBoth, postgresAndS3 } from '../support/engines.ts';
import { planDateId } from '../support/factories.ts';
import { makeJpeg } from '../support/images.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { type SpawnedServer, spawnServer } from '../support/spawn-server.ts';
import { startTestApp } from '../support/test-app.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';
import { createUpload, readUploadStatus, sendPart, uploadIdOf } from '../support/tus.ts';
import { upload } from '../support/upload.ts';

/** A node that dies during a create, or is suspended and resumes after another node has done its work. */
describeOnBoth('a node that was stopped', (engine) => {
  it.skipIf(process.platform === 'win32')(
    'and killed lets a retry use its Idempotency-Key',
    { tags: ['wire.retrying.4', 'wire.retrying.5'] },
    async () => {
      const storage = await createTestStorage(engine);
      const photo = await makeJpeg({ seed: 1 });
      const key = randomUUID();
      const doomed = await spawnServer(storage, { dieAt: 'decoded' });
      const { ada } = await registerCouple(doomed);
      const dateId = await planDateId(ada);
      await expect(upload(ada, photo, { dateId }, key)).rejects.toThrow('fetch failed');
      await doomed.ended;
      const next = await startTestApp(engine, { storage });
      expect((await upload(ada.at(next), photo, { dateId }, key)).status).toBe(201);
      await next.close();
      await storage.remove();
    },
  );

  if (engine !== postgresAndS3) return;

  describe('and resumed', () => {
    let storage: TestStorage;
    let stopped: SpawnedServer;
    let other: SpawnedServer;
    let competitor: CompetingConnection;
    let ada: Partner;
    beforeEach(async () => {
      storage = await createTestStorage(engine);
      [stopped, other] = [await spawnServer(storage), await spawnServer(storage)];
      competitor = await openCompetingConnection(storage);
      ({ ada } = await registerCouple(stopped));
    });
    afterEach(async () => {
      process.kill(stopped.pid, 'SIGCONT');
      await Promise.all([stopped.kill('SIGKILL'), other.kill('SIGKILL')]);
      await competitor.close();
      await storage.remove();
    });

    /** Suspends the node while its call waits to insert into a table, until its lease expires. */
    async function stopAt<T>(table: string, call: () => Promise<T>): Promise<{ calling: Promise<T> }> {
      await competitor.query('begin');
      await competitor.query(`lock table "${table}" in share mode`);
      const calling = call();
      await competitor.waitUntilBlocked();
      process.kill(stopped.pid, 'SIGSTOP');
      await competitor.query('commit');
      await competitor.query('update uploads set "lockedUntil" = 0');
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

    it('creates nothing twice: both get the first reply', {
      tags: ['wire.retrying.4', 'wire.retrying.5'],
    }, async () => {
      const key = randomUUID();
      const { calling } = await stopAt('ideas', () => addIdea(ada, key));
      const first = await addIdea(ada.at(other), key);
      expect(first.status).toBe(201);
      goOn();
      const late = await calling;
      expect([late.status, late.body.id]).toEqual([201, first.body.id]);
      expect(await ideas()).toEqual([first.body.id]);
    });

    it('does not add a photograph again that was deleted in the meantime', {
      tags: ['wire.retrying.4', 'wire.retrying.5'],
    }, async () => {
      const key = randomUUID();
      const photo = await makeJpeg({ seed: 2 });
      const dateId = await planDateId(ada);
      const { calling } = await stopAt('pendingFiles', () => upload(ada, photo, { dateId }, key));
      const first = await upload(ada.at(other), photo, { dateId }, key);
      expect(first.status).toBe(201);
      await ada.at(other).call('DELETE /api/Memories/{id}', { params: { id: first.body.id } });
      goOn();
      const late = await calling;
      expect([late.status, late.body.id]).toEqual([201, first.body.id]);
      expect((await ada.at(other).call('GET /api/Memories')).body).toEqual([]);
    });

    it('does not add a photograph of a resumable upload again, even without a key', {
      tags: ['wire.retrying.4', 'wire.retrying.5'],
    }, async () => {
      const photo = await makeJpeg({ seed: 3 });
      const dateId = await planDateId(ada);
      const id = uploadIdOf(await createUpload(ada, photo.length, { dateId }));
      const { calling } = await stopAt('pendingFiles', () => sendPart(ada, id, 0, photo));
      const there = ada.at(other);
      expect((await sendPart(there, id, photo.length, Buffer.alloc(0))).status).toBe(204);
      const { memory } = await readUploadStatus(there, id);
      expect(memory).not.toBeNull();
      await there.call('DELETE /api/Memories/{id}', { params: { id: memory ?? '' } });
      goOn();
      const late = await calling;
      expect([late.status, late.headers.get('retry-after')]).toEqual([409, '1']);
      expect((await there.call('GET /api/Memories')).body).toEqual([]);
      expect((await readUploadStatus(there, id)).memory).toBe(memory);
    });
  });
});
