import type { FastifyRequest } from 'fastify';
import type { FieldError } from '../../base/problem.ts';
import { Refusal } from '../../base/refusal.ts';
import type { TransferPlace } from '../../base/server/http/transfer-places.ts';
import { EMPTY_FILE, FILE_TOO_LARGE, INVALID_TYPE, memoryLimits } from '../../memories/rules.ts';
import { type Part, readParts } from './read-parts.ts';
import { type ReceivedFile, receiveFile } from './receive-file.ts';

/** A parsed form. */
export interface UploadedForm {
  /** The photo, or null if none was sent. */
  readonly file: ReceivedFile | null;
  /** The texts by field name. */
  readonly texts: ReadonlyMap<string, string>;
  /** Errors found so far, for a 400 if no other status takes precedence. */
  readonly errors: readonly FieldError[];
}

interface FormOptions {
  /** Where to write the photo. */
  readonly path: string;
  /** The upload's place among those of this node. */
  readonly place: TransferPlace;
  /** Called with each text as soon as it is read, so that it can be refused before the photo is read. */
  readonly onText?: (field: string, text: string) => Promise<void>;
  /** Called after each chunk of the photo. */
  readonly onChunk?: () => void;
}

const FILE_FIELD = 'ImageFile';
/** The limit of everything in a form but the photo, in bytes: the same as for a JSON body. */
const TEXT_LIMIT = 1_048_576;

/**
 * Reads a form as it streams in: the photo to disk, hashed with SHA-256 as it arrives, and its texts to memory.
 * @throws Refusal 413 as soon as it is too large; 400 if it is malformed; 503 if another upload takes its place; whatever
 *   `onText` throws
 */
export async function readForm({ raw, headers }: FastifyRequest, options: FormOptions): Promise<UploadedForm> {
  const { signal, moved, keep } = options.place;
  let left = memoryLimits.fileSizeBytes + TEXT_LIMIT;
  if (Number(headers['content-length'] ?? 0) > left) throw photoTooLarge();
  const onBytes = (length: number) => {
    moved(length);
    left -= length;
    if (left < 0) throw photoTooLarge();
  };
  const form = await readFields(readParts(raw, headers['content-type'], { signal, onBytes }), options);
  keep();
  return form;
}

async function readFields(parts: AsyncIterable<Part>, { path, onText, onChunk }: FormOptions): Promise<UploadedForm> {
  const texts = new Map<string, string>();
  const errors: FieldError[] = [];
  let file: ReceivedFile | null = null;
  let hasFile = false;
  let textBytesLeft = TEXT_LIMIT;
  // All files together have one limit.
  const left = { bytes: memoryLimits.fileSizeBytes };
  for await (const { name, fileName, body } of parts) {
    if (name !== FILE_FIELD || fileName === null) {
      const bytes = await readText(body, textBytesLeft);
      textBytesLeft -= bytes.length;
      const text = textOf(bytes);
      if (text === null) errors.push({ field: name, message: `${name} is not UTF-8` });
      else if (name !== FILE_FIELD) texts.set(name, text);
      if (name !== FILE_FIELD) await onText?.(name, text ?? '');
    } else if (!hasFile) {
      hasFile = true;
      file = orNoFile(await receiveFile(withinLimit(body, left, onChunk), path, fileName));
    } else {
      // Read on, since an unknown date (404) takes precedence.
      for await (const _ of withinLimit(body, left));
      errors.push({ field: FILE_FIELD, message: 'Please send one photograph at a time' });
    }
  }
  return { file, texts, errors };
}

/** A form sent without choosing a file contains one without a name and bytes, which counts as none. */
function orNoFile(file: ReceivedFile): ReceivedFile | null {
  return file.size === 0 && file.rawName === '' ? null : file;
}

/** Passes a file on, and takes its bytes from what is left. @throws Refusal 413 once there is nothing left */
async function* withinLimit(
  body: AsyncIterable<Buffer>,
  left: { bytes: number },
  onChunk?: FormOptions['onChunk'],
): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    left.bytes -= chunk.length;
    if (left.bytes < 0) throw photoTooLarge();
    yield chunk;
    onChunk?.();
  }
}

async function readText(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw new Refusal(413, 'The form is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** The refusal of a photo above the size limit. */
export function photoTooLarge(): Refusal {
  return new Refusal(413, FILE_TOO_LARGE, { errors: [{ field: FILE_FIELD, message: FILE_TOO_LARGE }] });
}

/** The refusal of a file that is in none of our formats, or is empty. */
export function wrongType(size: number): Refusal {
  const message = size === 0 ? EMPTY_FILE : INVALID_TYPE;
  return new Refusal(415, message, { errors: [{ field: FILE_FIELD, message }] });
}
