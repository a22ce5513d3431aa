import type { Change } from '../../src/base/change.ts';
import type { Partner } from './client.ts';

const WAIT_MS = 15_000;

export interface EventStream {
  /** The next change, in the order they were told. */
  next(): Promise<Change>;
  /** The same; or that changes may have been missed, where that is told first. */
  nextOrResync(): Promise<Change | 'resync'>;
  close(): void;
}

/**
 * Hears what is announced to a partner from now on, until it is closed. PostgreSQL tells a moment after the answer, so
 * what was done before is waited out: an idea comes and goes, and whatever was told until then is dropped.
 */
export async function subscribeToEvents(partner: Partner): Promise<EventStream> {
  const heard = await listen(partner);
  const body = { title: 'From here on', category: 'Outdoor' } as const;
  const { body: mark } = await partner.call('POST /api/DateIdeas', { body });
  await partner.call('DELETE /api/DateIdeas/{id}', { params: { id: mark.id } });
  for (let told = await heard.next(); ; told = await heard.next()) {
    if (told.id === mark.id && told.action === 'deleted') return heard;
  }
}

async function listen(partner: Partner): Promise<EventStream> {
  const stop = new AbortController();
  const response = await fetch(`${partner.url}/api/events`, {
    headers: { authorization: `Bearer ${partner.token}` },
    signal: stop.signal,
  });
  if (!response.ok || !response.body) throw new Error(`No events: ${response.status}`);
  // Taken in hand at once: a body that nobody has begun to read is cancelled with its response by the collector.
  const changes = read(response.body.getReader());
  const nextOrResync = async () => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('Nothing was announced')), WAIT_MS);
    try {
      const { value } = await Promise.race([changes.next(), late]);
      if (!value) throw new Error('The events ended');
      return value;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    nextOrResync,
    next: async () => {
      for (let told = await nextOrResync(); ; told = await nextOrResync()) if (told !== 'resync') return told;
    },
    close: () => stop.abort(),
  };
}

async function* read(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Change | 'resync', void> {
  const decoder = new TextDecoder();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^event: change\ndata: (.*)$/m.exec(event)?.[1];
      if (event.startsWith('event: resync\n')) yield 'resync';
      if (data !== undefined) yield JSON.parse(data) as Change;
    }
  }
}
