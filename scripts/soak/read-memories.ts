import type { Memory } from '../../src/memories/contract.ts';
import type { Partner } from '../../tests/support/partner.ts';

/** Reads every memory of a couple, page by page. */
export async function readAllMemories(who: Partner): Promise<Memory[]> {
  const all: Memory[] = [];
  let cursor: string | undefined;
  do {
    const query = { count: '500', ...(cursor === undefined ? {} : { cursor }) };
    const { body, headers } = await who.call('GET /api/Memories', { query });
    all.push(...body);
    const next = /[?&]cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1];
    cursor = next === undefined ? undefined : decodeURIComponent(next);
  } while (cursor !== undefined);
  return all;
}
