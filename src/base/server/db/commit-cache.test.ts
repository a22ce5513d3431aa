import { expect, it } from 'vitest';
import { registerAda } from '../../../../tests/support/client.ts';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { addIdea } from '../../../../tests/support/factories.ts';
import { useTwoNodes } from '../../../../tests/support/two-nodes.ts';
import type { CoupleId, UserId } from '../../ids.ts';
import { cachePerPartnerUntilCommit, memoizeUntilCommit } from './commit-cache.ts';

describeOnBoth('a cached reply', (engine) => {
  const nodes = useTwoNodes(engine);

  const partner = (name: string) => ({ coupleId: name as CoupleId, userId: 'ada' as UserId });
  const oneVariant = async () => '';
  /** A cached function whose result contains the number of its calls. */
  const counted = () => {
    let times = 0;
    const read = async ({ coupleId }: { coupleId: CoupleId }) => `${coupleId} ${(times += 1)}`;
    const ask = cachePerPartnerUntilCommit(nodes.app.db, read, oneVariant);
    return async (name: string) => JSON.parse((await ask(partner(name), 0)).bytes.toString()) as string;
  };

  it('is read again after a commit of any node', { tags: ['memories.sending.3'] }, async () => {
    const ask = counted();
    expect([await ask('a'), await ask('a')]).toEqual(
      engine.name.startsWith('SQLite') ? ['a 1', 'a 1'] : ['a 1', 'a 2'],
    );
    const before = await ask('a');
    const ada = await registerAda(nodes.app, `${crypto.randomUUID()}@example.org`);
    expect(await ask('a')).not.toBe(before);
    for (const node of [nodes.app, nodes.other]) {
      const last = await ask('a');
      await addIdea(ada.at(node));
      expect(await ask('a')).not.toBe(last);
    }
  });

  it('belongs to one couple and is evicted after many others', async () => {
    if (nodes.app.db.revision() === null) return;
    const ask = counted();
    const first = await ask('a');
    expect(await ask('b')).not.toBe(first);
    for (let i = 0; i < 63; i += 1) await ask(`couple ${i}`);
    expect(await ask('a')).not.toBe(first);
  });

  it('is not cached after an error or a commit during the read', async () => {
    let fail = true;
    const read = async () => {
      if (fail) throw new Error('out of reach');
      return 'there';
    };
    const ask = cachePerPartnerUntilCommit(nodes.app.db, read, oneVariant);
    await expect(ask(partner('a'), 0)).rejects.toThrow('out of reach');
    fail = false;
    expect((await ask(partner('a'), 0)).bytes.toString()).toBe('"there"');

    let reads = 0;
    const ada = await registerAda(nodes.app, `${crypto.randomUUID()}@example.org`);
    const slow = cachePerPartnerUntilCommit(
      nodes.app.db,
      async () => {
        reads += 1;
        await addIdea(ada);
        return reads;
      },
      oneVariant,
    );
    await slow(partner('a'), 0);
    await slow(partner('a'), 0);
    expect(reads).toBe(2);
  });

  it('differs by partner, and by what else it depends on, also after a commit in between', {
    tags: ['dates.surprises.2'],
  }, async () => {
    const { db } = nodes.app;
    if (db.revision() === null) return;
    const ada = await registerAda(nodes.app, `${crypto.randomUUID()}@example.org`);
    let variant = 'sealed';
    let isBetween = false;
    const ask = cachePerPartnerUntilCommit(
      db,
      async ({ userId }, now) => `${userId} at ${now}`,
      async () => {
        const found = variant;
        if (isBetween) await addIdea(ada);
        return found;
      },
    );
    const said = async (userId: string, now: number) =>
      JSON.parse((await ask({ coupleId: 'a' as CoupleId, userId: userId as UserId }, now)).bytes.toString()) as string;
    expect([await said('ada', 1), await said('ben', 2), await said('ada', 3)]).toEqual([
      'ada at 1',
      'ben at 2',
      'ada at 1',
    ]);
    variant = 'open';
    expect([await said('ada', 4), await said('ada', 5)]).toEqual(['ada at 4', 'ada at 4']);
    isBetween = true;
    expect(await said('ada', 6)).toBe('ada at 6');
    isBetween = false;
    expect(await said('ada', 7)).toBe('ada at 7');
  });

  it('always includes the caller’s own writes', async () => {
    const ada = await registerAda(nodes.app, `${crypto.randomUUID()}@example.org`);
    for (let i = 1; i <= 20; i += 1) {
      await addIdea(ada);
      expect((await ada.call('GET /api/DateIdeas')).body).toHaveLength(i);
      expect((await ada.call('GET /api/DateIdeas/active')).body).toHaveLength(i);
    }
  });

  it('can be memoized by key: it is read once between two commits of any node', async () => {
    let times = 0;
    const ask = memoizeUntilCommit(nodes.app.db, 2, async (key) => `${key} ${(times += 1)}`);
    const keeps = nodes.app.db.revision() !== null;
    expect([await ask('a'), await ask('a'), await ask('b')]).toEqual(
      keeps ? ['a 1', 'a 1', 'b 2'] : ['a 1', 'a 2', 'b 3'],
    );
    for (const node of [nodes.app, nodes.other]) {
      const ada = await registerAda(nodes.app, `${crypto.randomUUID()}@example.org`);
      const last = await ask('a');
      await addIdea(ada.at(node));
      expect(await ask('a')).not.toBe(last);
    }
  });

  it('stays in a full cache as long as no other key is read', async () => {
    if (nodes.app.db.revision() === null) return;
    let times = 0;
    const ask = memoizeUntilCommit(nodes.app.db, 2, async () => (times += 1));
    for (const key of ['a', 'b', 'a', 'b', 'a']) await ask(key);
    expect(times).toBe(2);
  });

  it('is evicted when the cache is full, and errors are never cached', async () => {
    if (nodes.app.db.revision() === null) return;
    let times = 0;
    const ask = memoizeUntilCommit(nodes.app.db, 2, async (key) => {
      times += 1;
      if (key === 'broken') throw new Error('not now');
      return times;
    });
    for (const key of ['a', 'b', 'c', 'a']) await ask(key);
    expect(times).toBe(4);
    for (const _ of [1, 2]) await expect(ask('broken')).rejects.toThrow('not now');
    expect(times).toBe(6);
  });
});
