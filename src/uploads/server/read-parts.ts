import { on } from 'node:events';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { Refusal } from '../../base/refusal.ts';

/** One part of a form, as it arrives. */
export interface Part {
  readonly name: string;
  /** The file's name on the device, as it was sent; null if the part is not a file. */
  readonly fileName: string | null;
  readonly body: AsyncIterable<Buffer>;
}

/** Our forms have three parts. */
const MAX_PARTS = 20;
/** Per part, in bytes. What is longer is cut off. */
const HEADERS_LIMIT = 16 * 1024;
const NAME_LIMIT = 200;

interface Reading {
  /** Ends the reading with its reason, a Refusal. */
  readonly signal: AbortSignal;
  /** Called with the length of each chunk. If it throws, the reading ends. */
  readonly onBytes: (length: number) => void;
}

/**
 * Streams the parts of multipart form data, and holds a few chunks of the source at most. The caller reads each body before
 * the next part, and limits it. If the caller stops early, the rest of the source stays unread.
 * @throws Refusal 400 if the form is malformed, truncated, or has too many parts
 */
export async function* readParts(
  source: Readable,
  contentType: string | undefined,
  { signal, onBytes }: Reading,
): AsyncGenerator<Part> {
  const busboy = openBusboy(contentType);
  const bodies = new Set<Readable>();
  const stopping = new AbortController();
  const stop = (reason: Error) => {
    stopping.abort(reason);
    for (const body of bodies) body.destroy(reason);
  };
  const breakOff = () => stop(malformedForm());
  const onClose = () => {
    if (!source.readableEnded) breakOff();
  };
  const count = ({ length }: Buffer) => {
    try {
      onBytes(length);
    } catch (error) {
      stop(error as Error);
    }
  };
  const onAbort = () => stop(signal.reason as Error);
  busboy.on('file', (_, body) => {
    bodies.add(body);
    // A body fails while nobody reads it yet.
    body.on('error', () => undefined).on('close', () => bodies.delete(body));
  });
  busboy.on('error', breakOff);
  busboy.on('partsLimit', () => stop(new Refusal(400, 'The form has too many parts. Nothing was saved.')));
  const arriving = on(busboy, 'file', { close: ['finish'], signal: stopping.signal });
  signal.addEventListener('abort', onAbort);
  source.on('error', breakOff).on('close', onClose).on('data', count).pipe(busboy);
  try {
    for await (const [name, body, fileName, , type] of arriving as AsyncIterable<Parameters<OnFile>>) {
      if (name === undefined || name.length > NAME_LIMIT) throw malformedForm();
      // Some clients send a file without a name. Its content type then tells that it is not text.
      const isFile = fileName !== undefined || /^(image\/|application\/octet-stream)/.test(type);
      yield { name, fileName: isFile ? plainName(fileName ?? '') : null, body };
    }
  } catch (error) {
    throw stopping.signal.aborted ? stopping.signal.reason : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    source.off('error', breakOff).off('close', onClose).off('data', count).unpipe(busboy).pause();
  }
}

type OnFile = (
  name: string | undefined,
  body: Readable,
  fileName: string | undefined,
  encoding: string,
  type: string,
) => void;

/** Opens a parser to which every part is a file, so that it neither decodes nor buffers texts. */
function openBusboy(contentType = ''): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: () => true,
      preservePath: true,
      limits: { parts: MAX_PARTS, headerSize: HEADERS_LIMIT },
    });
  } catch {
    // Without a boundary.
    throw malformedForm();
  }
}

/** Decodes what browsers encode in a file's name. */
function plainName(name: string): string {
  return name.replace(/%22/g, '"').replace(/%0D|%0A/gi, ' ');
}

/** The refusal of a malformed or truncated form. */
export function malformedForm(): Refusal {
  return new Refusal(400, 'The upload is malformed or incomplete. Nothing was saved.');
}
