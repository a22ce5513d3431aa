import { Refusal } from '../../base/refusal.ts';

/** One part of a form, as it arrives. Read its body before asking for the next part, or it is skipped. */
export interface Part {
  /** The field's name, as it was sent. */
  readonly name: string;
  /** The file's name on the device, as it was sent; null if the part is not a file. */
  readonly fileName: string | null;
  readonly body: AsyncIterable<Buffer>;
}

/** Our forms have three parts. */
const MAX_PARTS = 20;
/** Per part, in bytes. */
const HEADERS_LIMIT = 16 * 1024;
/** What may precede the first part, in bytes. Browsers send nothing there. */
const PREAMBLE_LIMIT = 16 * 1024;
const NAME_LIMIT = 200;
const LINE = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');

/** The boundary of a multipart/form-data content type, or null if it is another type or has no boundary. */
export function boundaryOf(contentType: string | undefined): string | null {
  const given = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;,"]{1,70}))/i.exec(
    contentType ?? '',
  );
  return given?.[1] ?? given?.[2] ?? null;
}

/**
 * Streams the parts of multipart form data (RFC 7578), and holds at most one chunk of the source. If the caller stops
 * early, the rest stays unread. The number of parts and the size of their headers are limited here; the caller limits
 * the bodies.
 * @throws Refusal 400 if the form is malformed, truncated, or has too many parts
 */
export async function* readParts(source: AsyncIterator<Buffer, unknown>, boundary: string): AsyncGenerator<Part> {
  const input = new Input(source);
  // The first delimiter has no line break before it, unless a preamble precedes it, which is ignored.
  input.unread(LINE);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  await input.take(delimiter, PREAMBLE_LIMIT);
  for (let count = 1; await startsPart(input); count += 1) {
    if (count > MAX_PARTS) throw new Refusal(400, 'The form has too many parts. Nothing was saved.');
    const { name, fileName } = readHeaders(await input.take(BLANK_LINE, HEADERS_LIMIT));
    // RFC 7578 requires a name.
    if (name === null || name.length > NAME_LIMIT) throw broken();
    const body = input.until(delimiter);
    yield { name, fileName, body };
    await drain(body);
  }
}

/** After a delimiter: whether a part follows. `--` ends the form. */
async function startsPart(input: Input): Promise<boolean> {
  if ((await input.peek(2)).toString('latin1') === '--') return false;
  const padding = await input.take(LINE, HEADERS_LIMIT);
  if (padding.toString('latin1').trim() !== '') throw broken();
  // A part without headers then ends them with a blank line as well.
  input.unread(LINE);
  return true;
}

async function drain(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of body);
}

/** Buffers the source and searches it for delimiters. It reads more only when it needs to. */
class Input {
  readonly #source: AsyncIterator<Buffer, unknown>;
  #buffered: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterator<Buffer, unknown>) {
    this.#source = source;
  }

  unread(bytes: Buffer): void {
    this.#buffered = Buffer.concat([bytes, this.#buffered]);
  }

  async peek(count: number): Promise<Buffer> {
    while (this.#buffered.length < count) await this.#more();
    return this.#buffered.subarray(0, count);
  }

  /**
   * Reads up to a mark, and skips the mark.
   * @throws Refusal 400 if that is more than `limit` bytes
   */
  async take(mark: Buffer, limit: number): Promise<Buffer> {
    for (;;) {
      const at = this.#buffered.indexOf(mark);
      if (at > limit) throw broken();
      if (at !== -1) return this.#shift(at, mark.length);
      if (this.#buffered.length > limit) throw broken();
      await this.#more();
    }
  }

  /** The same as a stream of chunks. After its end it stays empty. */
  until(mark: Buffer): AsyncIterable<Buffer> {
    let ended = false;
    const next = async (): Promise<IteratorResult<Buffer, undefined>> => {
      while (!ended) {
        const at = this.#buffered.indexOf(mark);
        ended = at !== -1;
        const chunk = ended ? this.#shift(at, mark.length) : this.#shift(this.#safeLength(mark), 0);
        if (chunk.length > 0) return { done: false, value: chunk };
        if (!ended) await this.#more();
      }
      return { done: true, value: undefined };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  /** How many buffered bytes cannot be the beginning of the mark. */
  #safeLength(mark: Buffer): number {
    const from = Math.max(0, this.#buffered.length - mark.length + 1);
    const at = this.#buffered.indexOf(mark.subarray(0, 1), from);
    return at === -1 ? this.#buffered.length : at;
  }

  #shift(length: number, skipped: number): Buffer {
    const chunk = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length + skipped);
    return chunk;
  }

  async #more(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw broken();
    this.#buffered = this.#buffered.length === 0 ? next.value : Buffer.concat([this.#buffered, next.value]);
  }
}

function readHeaders(block: Buffer): { name: string | null; fileName: string | null } {
  const lines = block
    .toString('latin1')
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const disposition = lines.find((line) => /^content-disposition\s*:/i.test(line)) ?? '';
  const type = lines.find((line) => /^content-type\s*:/i.test(line)) ?? '';
  const given = parameters(disposition.slice(disposition.indexOf(';') + 1));
  const fileName = given.get('filename*') ?? given.get('filename') ?? null;
  // Some clients send a file without a name. Its content type then tells that it is not text.
  const isFile = fileName !== null || /:\s*(image\/|application\/octet-stream)/i.test(type);
  return { name: given.get('name') ?? null, fileName: isFile ? (fileName ?? '') : null };
}

/** The parameters of a Content-Disposition, with names in lower case and decoded values. */
function parameters(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, key = '', quoted, bare] of text.matchAll(
    /(?:^|;)\s*([\w-]+\*?)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;]*))/g,
  )) {
    const value = quoted ?? bare?.trim() ?? '';
    const name = key.toLowerCase();
    const decoded = name.endsWith('*') ? decodeExtended(value) : decodePlain(value);
    if (decoded !== null && !found.has(name)) found.set(name, decoded);
  }
  return found;
}

/** Decodes a value as browsers send it: raw UTF-8, with %22, %0D and %0A. A few clients escape with \. */
function decodePlain(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString('utf8');
  return text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D|%0A/gi, ' ');
}

/** Decodes an RFC 5987 value such as `UTF-8''caf%C3%A9.jpg`; null if it is malformed. */
function decodeExtended(value: string): string | null {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/.exec(value) ?? [];
  if (!/^(utf-8|iso-8859-1)$/i.test(charset)) return null;
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString(/^utf/i.test(charset) ? 'utf8' : 'latin1');
}

/** The refusal of a malformed or truncated form. */
export function broken(): Refusal {
  return new Refusal(400, 'The upload is malformed or incomplete. Nothing was saved.');
}
