import { expect, it } from 'vitest';
import { registerAda } from '../../../tests/support/client.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { addIdea } from '../../../tests/support/factories.ts';
import { useTwoNodes } from '../../../tests/support/two-nodes.ts';
import type { CoupleId } from '../ids.ts';
import { cacheUntilCommit, memoizeUntilCommit } from './commit-cache.ts';

describeOnBoth('a cached reply', (engine) => {
  const nodes = useTwoNodes(engine);

  const couple = (name: string) => name as CoupleId;
  /** A cached function whose result contains the number of its calls. */
  const counted = () => {
    let times = 0;
    const ask = cacheUntilCommit(nodes.app.db, async (coupleId) => `${coupleId} ${(times += 1)}`);
    return async (name: string) => JSON.parse((await ask(couple(name))).bytes.toString()) as string;
  };

  it('is read again after a commit of any node', async () => {
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
    for (let i = 0; i < 31; i += 1) await ask(`couple ${i}`);
    expect(await ask('a')).not.toBe(first);
  });

  it('is not cached after an error or a commit during the read', async () => {
    let fail = true;
    const ask = cacheUntilCommit(nodes.app.db, async () => {
      if (fail) throw new Error('out of reach');
      return 'there';
    });
    await expect(ask(couple('a'))).rejects.toThrow('out of reach');
    fail = false;
    expect((await ask(couple('a'))).bytes.toString()).toBe('"there"');

    let reads = 0;
    const ada = await registerAda(nodes.app, `${crypto.randomUUID()}@example.org`);
    const slow = cacheUntilCommit(nodes.app.db, async () => {
      reads += 1;
      await addIdea(ada);
      return reads;
    });
    await slow(couple('a'));
    await slow(couple('a'));
    expect(reads).toBe(2);
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
