import { expect, it } from 'vitest';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { addIdea } from '../../../../tests/support/factories.ts';
import { registerAda } from '../../../../tests/support/register-couple.ts';
import { useTwoNodes } from '../../../../tests/support/use-two-nodes.ts';
import { memoizeUntilCommit } from './memoize-until-commit.ts';

describeOnBoth('a memoized read', (engine) => {
  const nodes = useTwoNodes(engine);

  it('is read once between two commits of any node', { tags: ['memories.sending.3'] }, async () => {
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
