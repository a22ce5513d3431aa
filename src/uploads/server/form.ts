import type { FastifyRequest } from 'fastify';
import type { FieldError } from '../../base/refusal.ts';
import { Refusal } from '../../base/refusal.ts';
import { FILE_TOO_LARGE, memoryLimits } from '../../memories/rules.ts';
import { boundaryOf, broken, type Part, readParts } from './multipart.ts';
import { type ReceivedFile, receiveFile } from './receive-file.ts';

/** What a form said. */
export interface Form {
  /** The photograph, or null where none was sent. */
  readonly file: ReceivedFile | null;
  /** The texts by their field. */
  readonly texts: ReadonlyMap<string, string>;
  /** What is wrong with it so far: 400, where nothing weightier is. */
  readonly errors: readonly FieldError[];
}

interface Reading {
  /** Called before a byte of the photograph is written; answers where it is to lie. */
  readonly receive: () => string;
  /** Told of each text as soon as it is read: what it names may be refused before the photograph is read. */
  readonly onText?: (field: string, text: string) => Promise<void>;
  /** Called after each piece of the photograph. */
  readonly onPiece?: () => void;
}

const FILE_FIELD = 'ImageFile';
/** All of a form but the photograph, in bytes: as much as a JSON body. */
const REST_LIMIT = 1_048_576;

/**
 * Reads a form as it streams in: the photograph to the disk, its SHA-256 on the way, its texts to memory.
 * @throws Refusal 413 as soon as it is too large; 400 where it is no form; whatever `onText` throws
 */
export async function readForm(request: FastifyRequest, reading: Reading): Promise<Form> {
  const boundary = boundaryOf(request.headers['content-type']);
  if (boundary === null) throw broken();
  if (Number(request.headers['content-length'] ?? 0) > memoryLimits.fileSizeBytes + REST_LIMIT) throw tooLarge();
  const source = bytesOf(request);
  try {
    return await readFields(readParts(source, boundary), reading);
  } finally {
    // The rest is left unread, and the connection whole: the answer is still to be sent on it.
    await source.return?.();
  }
}

async function readFields(parts: AsyncIterable<Part>, { receive, onText, onPiece }: Reading): Promise<Form> {
  const texts = new Map<string, string>();
  const errors: FieldError[] = [];
  let file: ReceivedFile | null = null;
  let hasFile = false;
  let rest = REST_LIMIT;
  for await (const { name, fileName, body } of parts) {
    if (name !== FILE_FIELD || fileName === null) {
      const bytes = await readShort(body, rest);
      rest -= bytes.length;
      const text = textOf(bytes);
      if (text === null) errors.push({ field: name, message: `${name} is not UTF-8` });
      else if (name !== FILE_FIELD) texts.set(name, text);
      if (name !== FILE_FIELD) await onText?.(name, text ?? '');
    } else if (!hasFile) {
      hasFile = true;
      file = chosen(await receiveFile(withinLimit(body, memoryLimits.fileSizeBytes, onPiece), receive(), fileName));
    } else {
      // The rest is still read, since a date that is not there weighs more. All files together have one limit.
      for await (const _ of withinLimit(body, memoryLimits.fileSizeBytes - (file?.size ?? 0)));
      errors.push({ field: FILE_FIELD, message: 'Please send one photograph at a time' });
    }
  }
  return { file, texts, errors };
}

/** A form sent without choosing a file has one without name and bytes: that is none. */
function chosen(file: ReceivedFile): ReceivedFile | null {
  return file.size === 0 && file.rawName === '' ? null : file;
}

async function* withinLimit(
  body: AsyncIterable<Buffer>,
  limit: number,
  onPiece?: Reading['onPiece'],
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limit) throw tooLarge();
    yield piece;
    onPiece?.();
  }
}

async function readShort(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > limit) throw new Refusal(413, 'The form is too large.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** The body as it comes; a connection that breaks off is the sender's refusal, not our error. */
function bytesOf(request: FastifyRequest): AsyncIterator<Buffer, unknown> {
  const source = request.raw.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, unknown>;
  return {
    next: () =>
      source.next().catch(() => {
        throw broken();
      }),
    return: async () => {
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** The refusal of a photograph above the limit. */
export function tooLarge(): Refusal {
  return new Refusal(413, FILE_TOO_LARGE, { errors: [{ field: FILE_FIELD, message: FILE_TOO_LARGE }] });
}
