import type { Change } from '../../src/base/change.ts';
import type { Partner } from './partner.ts';

const WAIT_MS = 15_000;

export interface EventStream {
  /** Waits for the next change. */
  next(): Promise<Change>;
  /** Waits for the next change or resync event, which says that changes may have been missed. */
  nextOrResync(): Promise<Change | 'resync'>;
  close(): void;
}

/**
 * Opens a partner's event stream and skips earlier changes. PostgreSQL may deliver those a moment after the response, so
 * this creates and deletes an idea and drops every change up to its deletion.
 */
export async function subscribeToEvents(partner: Partner): Promise<EventStream> {
  const stream = await openStream(partner);
  const body = { title: 'From here on', category: 'Outdoor' } as const;
  const { body: marker } = await partner.call('POST /api/DateIdeas', { body });
  await partner.call('DELETE /api/DateIdeas/{id}', { params: { id: marker.id } });
  for (let change = await stream.next(); ; change = await stream.next()) {
    if (change.id === marker.id && change.action === 'deleted') return stream;
  }
}

async function openStream(partner: Partner): Promise<EventStream> {
  const stop = new AbortController();
  const response = await fetch(`${partner.url}/api/events`, {
    headers: { authorization: `Bearer ${partner.token}` },
    signal: stop.signal,
  });
  if (!response.ok || !response.body) throw new Error(`Could not open the event stream: ${response.status}`);
  // Lock the body at once: an unread body is cancelled when its response is garbage-collected.
  const changes = readEvents(response.body.getReader());
  const nextOrResync = async () => {
    const { promise: timeout, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('Timed out waiting for an event')), WAIT_MS);
    try {
      const { value } = await Promise.race([changes.next(), timeout]);
      if (!value) throw new Error('The event stream ended');
      return value;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    nextOrResync,
    next: async () => {
      for (let change = await nextOrResync(); ; change = await nextOrResync()) if (change !== 'resync') return change;
    },
    close: () => stop.abort(),
  };
}

/** Reads the changes and resync events of an event stream, until it ends. */
export async function* readEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<Change | 'resync', void> {
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
