import { Refusal } from '../../base/refusal.ts';

/** One part of a form, as it arrives. Its body is read before the next part is asked for, or passed over. */
export interface Part {
  /** The field's name, as it was sent. */
  readonly name: string;
  /** The name that the file had on the device, as it was sent; null where the part is no file. */
  readonly fileName: string | null;
  readonly body: AsyncIterable<Buffer>;
}

/** More is no form of ours, which has three parts. */
const MAX_PARTS = 20;
/** Of one part, in bytes. */
const HEADERS_LIMIT = 16 * 1024;
/** What stands before the first part, in bytes. Browsers send nothing there. */
const PREAMBLE_LIMIT = 16 * 1024;
const NAME_LIMIT = 200;
const LINE = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');

/** The boundary that a content type of multipart form data names, or null where it is another type, or has none. */
export function boundaryOf(contentType: string | undefined): string | null {
  const given = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;,"]{1,70}))/i.exec(
    contentType ?? '',
  );
  return given?.[1] ?? given?.[2] ?? null;
}

/**
 * The parts of multipart form data (RFC 7578), one after the other, streamed: at most one piece of what came from the
 * network is held. Whoever stops early leaves the rest unread. The number of parts and all but their bodies are bounded;
 * the reader of a body bounds that.
 * @throws Refusal 400 where it is not well formed, ends before it should, or has too many parts
 */
export async function* readParts(source: AsyncIterator<Buffer, unknown>, boundary: string): AsyncGenerator<Part> {
  const input = new Input(source);
  // The first delimiter has no line end before it, unless something precedes it, which is ignored.
  input.unread(LINE);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  await input.take(delimiter, PREAMBLE_LIMIT);
  for (let count = 1; await startsPart(input); count += 1) {
    if (count > MAX_PARTS) throw new Refusal(400, 'The form has too many parts. Nothing was saved.');
    const { name, fileName } = readHeaders(await input.take(BLANK_LINE, HEADERS_LIMIT));
    // RFC 7578 asks for a name, and nobody could tell what such a part is for.
    if (name === null || name.length > NAME_LIMIT) throw broken();
    const body = input.until(delimiter);
    yield { name, fileName, body };
    await drain(body);
  }
}

/** After a delimiter: whether a part follows, or `--`, which ends the form. */
async function startsPart(input: Input): Promise<boolean> {
  if ((await input.peek(2)).toString('latin1') === '--') return false;
  const padding = await input.take(LINE, HEADERS_LIMIT);
  if (padding.toString('latin1').trim() !== '') throw broken();
  // So that a part without any header ends its headers like every other: by a blank line.
  input.unread(LINE);
  return true;
}

async function drain(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of body);
}

/** What came and has not been read yet; more is fetched only when it is needed. */
class Input {
  readonly #source: AsyncIterator<Buffer, unknown>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterator<Buffer, unknown>) {
    this.#source = source;
  }

  unread(bytes: Buffer): void {
    this.#rest = Buffer.concat([bytes, this.#rest]);
  }

  async peek(count: number): Promise<Buffer> {
    while (this.#rest.length < count) await this.#more();
    return this.#rest.subarray(0, count);
  }

  /**
   * All up to a mark, which is passed over.
   * @throws Refusal 400 where it is more bytes than the limit
   */
  async take(mark: Buffer, limit: number): Promise<Buffer> {
    for (;;) {
      const at = this.#rest.indexOf(mark);
      if (at > limit) throw broken();
      if (at !== -1) return this.#pass(at, mark.length);
      if (this.#rest.length > limit) throw broken();
      await this.#more();
    }
  }

  /** The same, piece by piece. Asked again after its end it gives nothing. */
  until(mark: Buffer): AsyncIterable<Buffer> {
    let ended = false;
    const next = async (): Promise<IteratorResult<Buffer, undefined>> => {
      while (!ended) {
        const at = this.#rest.indexOf(mark);
        ended = at !== -1;
        const piece = ended ? this.#pass(at, mark.length) : this.#pass(this.#safeLength(mark), 0);
        if (piece.length > 0) return { done: false, value: piece };
        if (!ended) await this.#more();
      }
      return { done: true, value: undefined };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  /** How much of what is there can't be the beginning of the mark. */
  #safeLength(mark: Buffer): number {
    const from = Math.max(0, this.#rest.length - mark.length + 1);
    const at = this.#rest.indexOf(mark.subarray(0, 1), from);
    return at === -1 ? this.#rest.length : at;
  }

  #pass(length: number, besides: number): Buffer {
    const piece = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length + besides);
    return piece;
  }

  async #more(): Promise<void> {
    const next = await this.#source.next();
    if (next.done) throw broken();
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
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
  // Some clients send a file without a name for it; its type then says that it is no text.
  const isFile = fileName !== null || /:\s*(image\/|application\/octet-stream)/i.test(type);
  return { name: given.get('name') ?? null, fileName: isFile ? (fileName ?? '') : null };
}

/** The parameters of a Content-Disposition, their names in lower case, their values decoded. */
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

/** A value as browsers send it: raw UTF-8, a quotation mark and line ends as %22, %0D and %0A; a few escape by \. */
function decodePlain(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString('utf8');
  return text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0D|%0A/gi, ' ');
}

/** A value of RFC 5987, `UTF-8''caf%C3%A9.jpg`, or null where it is none. */
function decodeExtended(value: string): string | null {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/.exec(value) ?? [];
  if (!/^(utf-8|iso-8859-1)$/i.test(charset)) return null;
  const bytes = encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString(/^utf/i.test(charset) ? 'utf8' : 'latin1');
}

/** The refusal of what is no form. */
export function broken(): Refusal {
  return new Refusal(400, 'The upload is not well formed, or broke off. Nothing was saved.');
}
