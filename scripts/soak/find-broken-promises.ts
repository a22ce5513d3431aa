import { createHash } from 'node:crypto';
import type { PlannedDate } from '../../src/dates/contract.ts';
import type { Memory } from '../../src/memories/contract.ts';
import type { Result } from '../../tests/support/caller.ts';
import type { Partner } from '../../tests/support/partner.ts';
import type { Couple, EffectKind } from './client-date.ts';
import { findBrokenRecords } from './ledger.ts';
import { readAllMemories } from './read-memories.ts';

/**
 * Compares what is stored with what the couples requested: nothing acknowledged may be missing, doubled or invented, and
 * every photograph must have its bytes. Call it when the load has stopped and everything works again.
 * @returns the broken promises, one sentence each
 */
export async function findBrokenPromises(couples: readonly Couple[]): Promise<string[]> {
  const broken = await Promise.all(couples.map(findBrokenByCouple));
  return broken.flat();
}

async function findBrokenByCouple({ partners, effects }: Couple): Promise<string[]> {
  const ideas = bodyOf(await partners[0].call('GET /api/DateIdeas'));
  const dates = new Map<string, PlannedDate>();
  const memories = new Map<string, { memory: Memory; owner: Partner }>();
  const notes: string[] = [];
  for (const owner of partners) {
    // The partner who planned a surprise knows all of it.
    for (const date of bodyOf(await owner.call('GET /api/PlannedDates')))
      if (date.surprise === null || date.surprise.mine || date.surprise.revealed) dates.set(date.id, date);
    for (const memory of await readAllMemories(owner)) memories.set(memory.id, { memory, owner });
  }
  const completed = [...dates.values()].filter(({ status }) => status === 'Completed');
  for (const { id } of completed) {
    for (const owner of partners) {
      const { mine } = bodyOf(await owner.call('GET /api/PlannedDates/{id}/notes', { params: { id } }));
      if (mine !== null) notes.push(mine.text);
    }
  }
  const stored: Record<EffectKind, string[]> = {
    idea: ideas.map(({ title }) => title),
    date: [...dates.values()].map(({ location }) => location ?? ''),
    edit: [...dates.values()].flatMap(({ notes: text }) => text ?? []),
    completion: completed.map(({ location }) => location ?? ''),
    photograph: [...memories.values()].map(({ memory }) => memory.caption ?? ''),
    note: notes,
  };
  const broken = (Object.keys(stored) as EffectKind[]).flatMap((kind) =>
    findBrokenRecords(
      effects.filter((effect) => effect.kind === kind),
      stored[kind],
    ).map((sentence) => `The ${kind} ${sentence}`),
  );
  for (const { memory, owner } of memories.values()) {
    const expected = effects.find(({ kind, label }) => kind === 'photograph' && label === memory.caption)?.sha256;
    if ((await sha256Of(owner, memory)) !== expected) broken.push(`The photograph ${memory.caption} has other bytes.`);
  }
  return broken;
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
