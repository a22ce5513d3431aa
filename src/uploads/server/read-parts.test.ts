import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../base/refusal.ts';
import { readParts } from './read-parts.ts';

/** Returns a form as a request brings it, in chunks of the same size. */
function inChunks(bytes: Buffer, size: number): Readable {
  const count = Math.ceil(bytes.length / size);
  return Readable.from(Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size)));
}

interface Read {
  name: string;
  fileName: string | null;
  body: Buffer;
}

const BOUND = 'multipart/form-data; boundary=b';
const reading = () => ({ signal: new AbortController().signal, onBytes: () => undefined });

async function readAll(bytes: Buffer, type = BOUND, size = 65_536): Promise<Read[]> {
  const found: Read[] = [];
  for await (const { name, fileName, body } of readParts(inChunks(bytes, size), type, reading())) {
    found.push({ name, fileName, body: Buffer.concat(await Array.fromAsync(body)) });
  }
  return found;
}

/** Returns a form as Node's fetch sends it. */
async function encode(form: FormData): Promise<{ bytes: Buffer; type: string }> {
  const response = new Response(form);
  return { bytes: Buffer.from(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' };
}

/** Returns a handwritten part. */
const part = (headers: string, body = 'x') => Buffer.from(`--b\r\n${headers}\r\n\r\n${body}\r\n--b--\r\n`, 'utf8');
const nameIn = async (disposition: string) =>
  (await readAll(part(`Content-Disposition: form-data; ${disposition}`)))[0]?.fileName;

describe('multipart', () => {
  it('reads any form, whatever chunks the network delivers', { tags: ['uploads.wire.1'] }, async () => {
    const field = fc.record({
      name: fc.stringMatching(/^[a-zA-Z]{1,9}$/),
      fileName: fc.option(fc.stringMatching(/^[a-zé ü😀.]{1,20}$/u)),
      // Boundaries consist of line ends and dashes.
      body: fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.constantFrom(13, 10, 45, 98), { maxLength: 60 }).map((bytes) => Uint8Array.from(bytes)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 5 }), fc.integer({ min: 1, max: 90 }), async (fields, size) => {
        const form = new FormData();
        for (const { name, fileName, body } of fields) {
          if (fileName === null) form.append(name, Buffer.from(body).toString('hex'));
          else form.append(name, new File([body], fileName));
        }
        const { bytes, type } = await encode(form);
        expect(await readAll(bytes, type, size)).toEqual(
          fields.map(({ name, fileName, body }) => ({
            name,
            fileName,
            body: fileName === null ? Buffer.from(Buffer.from(body).toString('hex')) : Buffer.from(body),
          })),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('reads a form that is split at any byte', { tags: ['uploads.wire.1'] }, async () => {
    const form = new FormData();
    form.append('PlannedDateId', 'the date');
    form.append('ImageFile', new File(['\r\n--b\r\n\r\n--'], 'ü.jpg', { type: 'image/jpeg' }));
    form.append('Caption', 'us');
    const { bytes, type } = await encode(form);
    const whole = await readAll(bytes, type);
    expect(whole).toHaveLength(3);
    for (let at = 1; at < bytes.length; at += 1) {
      const read: Read[] = [];
      const halves = Readable.from([bytes.subarray(0, at), bytes.subarray(at)]);
      for await (const { name, fileName, body } of readParts(halves, type, reading())) {
        read.push({ name, fileName, body: Buffer.concat(await Array.fromAsync(body)) });
      }
      expect(read).toEqual(whole);
    }
  });

  it('ends with the reason of its signal, or of what counts the bytes, also in the middle of a body', async () => {
    const endless = () =>
      Readable.from([part('Content-Disposition: form-data; name=a').subarray(0, 60)]).pipe(new PassThrough(), {
        end: false,
      });
    const ending = new AbortController();
    const taken = (async () => {
      for await (const { body } of readParts(endless(), BOUND, { ...reading(), signal: ending.signal })) {
        ending.abort(new Refusal(503, 'Taken'));
        for await (const _ of body);
      }
    })();
    await expect(taken).rejects.toThrow('Taken');
    const onBytes = () => {
      throw new Refusal(413, 'Too large');
    };
    const counted = Array.fromAsync(readParts(endless(), BOUND, { ...reading(), onBytes }));
    await expect(counted).rejects.toThrow('Too large');
  });

  it('ignores the preamble and the epilogue', async () => {
    const bytes = Buffer.concat([
      Buffer.from('hello\r\n'),
      part('content-disposition: form-data; name=a'),
      Buffer.from('bye'),
    ]);
    expect(await readAll(bytes)).toEqual([{ name: 'a', fileName: null, body: Buffer.from('x') }]);
  });

  it.each([
    ['nothing at all', ''],
    ['another boundary', '--c\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--c--'],
    ['a body that breaks off', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nxxxxx'],
    ['headers that break off', '--b\r\nContent-Disposition: form-'],
    ['headers without end', `--b\r\n${'x'.repeat(200_000)}`],
    ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--'],
    ['too many parts', '--b\r\nContent-Disposition: form-data; name=f\r\n\r\n\r\n'.repeat(21)],
  ])('refuses %s', { tags: ['uploads.wire.2'] }, async (_, text) => {
    for (const size of [1_000, 65_536]) await expect(readAll(Buffer.from(text), BOUND, size)).rejects.toThrow(Refusal);
  });

  it.each([
    ['name="f"; filename="us.jpg"', 'us.jpg'],
    ['name="f"; filename="Élise & Zoë 😀.jpg"', 'Élise & Zoë 😀.jpg'],
    ['name="f"; filename="a %22quoted%22 one.jpg"', 'a "quoted" one.jpg'],
    ['name="f"; filename="a \\"quoted\\" one.jpg"', 'a "quoted" one.jpg'],
    ['name="f"; filename="C:\\photos\\us.jpg"', 'C:\\photos\\us.jpg'],
    ['name="f"; filename="semi;colon.jpg"', 'semi;colon.jpg'],
    ['name="f"; filename*=UTF-8\'\'caf%C3%A9.jpg', 'café.jpg'],
    ['name="f"; filename*=iso-8859-1\'\'caf%E9.jpg', 'café.jpg'],
    ['name="f"; filename="x.jpg"; filename*=klingon\'\'%41', 'x.jpg'],
    ['filename="x.jpg"; name="f"', 'x.jpg'],
    ['name="f"; filename=""', ''],
  ])('reads a file name from %s', async (disposition, expected) => {
    expect(await nameIn(disposition)).toBe(expected);
  });

  it('treats an image without a name as a file', async () => {
    const [read] = await readAll(part('Content-Disposition: form-data; name="ImageFile"\r\nContent-Type: image/png'));
    expect(read?.fileName).toBe('');
  });

  it('needs a boundary', async () => {
    const form = part('Content-Disposition: form-data; name=f');
    expect(await readAll(form, 'Multipart/Form-Data; charset=utf-8; Boundary="b"')).toHaveLength(1);
    for (const type of ['multipart/form-data', 'application/json; boundary=b', '']) {
      await expect(readAll(form, type)).rejects.toThrow(Refusal);
    }
  });

  it('parses malicious headers quickly', async () => {
    // The time of the processor, which others may be using too.
    const start = process.cpuUsage();
    await nameIn(`name=f; ${'a'.repeat(15_000)}`);
    await nameIn(`name=f; x="${'\\'.repeat(15_000)}`);
    await nameIn(`${'; '.repeat(7_000)}name=f`);
    await readAll(Buffer.alloc(0), `multipart/form-data;${' ;'.repeat(8_000)}`).catch(() => undefined);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(1_000);
  });
});
