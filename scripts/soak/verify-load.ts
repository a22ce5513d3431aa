import { createHash } from 'node:crypto';
import type { Memory } from '../../src/memories/contract.ts';
import type { Partner, Result } from '../../tests/support/client.ts';
import type { Couple, EffectKind } from './couple-load.ts';
import { findFaults } from './ledger.ts';
import { readAllMemories } from './read-memories.ts';

/**
 * Compares what is stored with what the couples requested: nothing acknowledged may be missing, doubled or invented, and
 * every photograph must have its bytes. Call it when the load has stopped and everything works again.
 * @returns the faults, one sentence each
 */
export async function findLoadFaults(couples: readonly Couple[]): Promise<string[]> {
  const faults = await Promise.all(couples.map(findCoupleFaults));
  return faults.flat();
}

async function findCoupleFaults({ partners, effects }: Couple): Promise<string[]> {
  const [ada, ben] = partners;
  const ideas = bodyOf(await ada.call('GET /api/DateIdeas'));
  const dates = bodyOf(await ben.call('GET /api/PlannedDates'));
  const memories = await readAllMemories(ada);
  const stored: Record<EffectKind, string[]> = {
    idea: ideas.map(({ title }) => title),
    date: dates.map(({ location }) => location ?? ''),
    edit: dates.flatMap(({ notes }) => notes ?? []),
    completion: dates.filter(({ status }) => status === 'Completed').map(({ location }) => location ?? ''),
    photograph: memories.map(({ caption }) => caption ?? ''),
  };
  const faults = (Object.keys(stored) as EffectKind[]).flatMap((kind) =>
    findFaults(
      effects.filter((effect) => effect.kind === kind),
      stored[kind],
    ).map((fault) => `The ${kind} ${fault}`),
  );
  for (const memory of memories) {
    const expected = effects.find(({ kind, label }) => kind === 'photograph' && label === memory.caption)?.sha256;
    if ((await sha256Of(ada, memory)) !== expected) faults.push(`The photograph ${memory.caption} has other bytes.`);
  }
  return faults;
}

async function sha256Of(who: Partner, { imageUrl }: Memory): Promise<string> {
  const response = await fetch(who.url + imageUrl, { headers: { cookie: who.cookie } });
  return createHash('sha256')
    .update(await response.bytes())
    .digest('hex');
}

function bodyOf<T>({ status, body }: Result<T>): T {
  if (status !== 200) throw new Error(`Could not read what is stored: ${status} ${JSON.stringify(body)}`);
  return body;
}
