import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../base/refusal.ts';
import { boundaryOf, readParts } from './multipart.ts';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer, undefined> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

interface Read {
  name: string;
  fileName: string | null;
  body: Buffer;
}

async function readAll(bytes: Buffer, boundary: string, size = 65_536): Promise<Read[]> {
  const found: Read[] = [];
  for await (const { name, fileName, body } of readParts(pieces(bytes, size), boundary)) {
    found.push({ name, fileName, body: Buffer.concat(await Array.fromAsync(body)) });
  }
  return found;
}

/** Returns a form as Node's fetch sends it. */
async function encode(form: FormData): Promise<{ bytes: Buffer; boundary: string }> {
  const response = new Response(form);
  const boundary = boundaryOf(response.headers.get('content-type') ?? '');
  return { bytes: Buffer.from(await response.arrayBuffer()), boundary: boundary ?? '' };
}

/** Returns a handwritten part. */
const part = (headers: string, body = 'x') => Buffer.from(`--b\r\n${headers}\r\n\r\n${body}\r\n--b--\r\n`, 'utf8');
const nameIn = async (disposition: string) =>
  (await readAll(part(`Content-Disposition: form-data; ${disposition}`), 'b'))[0]?.fileName;

describe('multipart', () => {
  it('reads any form, whatever chunks the network delivers', async () => {
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
        const { bytes, boundary } = await encode(form);
        expect(await readAll(bytes, boundary, size)).toEqual(
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

  it('skips parts that are not read', async () => {
    const form = new FormData();
    form.append('ImageFile', new File([Buffer.alloc(500_000, '\r\n--')], 'a.jpg'));
    form.append('Caption', 'us');
    const { bytes, boundary } = await encode(form);
    const names: string[] = [];
    for await (const { name, body } of readParts(pieces(bytes, 1000), boundary)) {
      names.push(name);
      for await (const _ of body) break;
    }
    expect(names).toEqual(['ImageFile', 'Caption']);
  });

  it('ignores the preamble and the epilogue', async () => {
    const bytes = Buffer.concat([
      Buffer.from('hello\r\n'),
      part('content-disposition: form-data; name=a'),
      Buffer.from('bye'),
    ]);
    expect(await readAll(bytes, 'b')).toEqual([{ name: 'a', fileName: null, body: Buffer.from('x') }]);
  });

  it.each([
    ['nothing at all', ''],
    ['another boundary', '--c\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--c--'],
    ['a body that breaks off', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nxxxxx'],
    ['headers that break off', '--b\r\nContent-Disposition: form-'],
    ['headers without end', `--b\r\n${'x'.repeat(200_000)}`],
    ['rubbish after the boundary', '--bad\r\n\r\nx\r\n--b--'],
    ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--'],
    ['headers of 20 KB', `--b\r\nContent-Disposition: form-data; name=f\r\nX: ${'x'.repeat(20_000)}\r\n\r\nx\r\n--b--`],
    ['too many parts', '--b\r\nContent-Disposition: form-data; name=f\r\n\r\n\r\n'.repeat(21)],
  ])('refuses %s', async (_, text) => {
    for (const size of [1_000, 65_536]) await expect(readAll(Buffer.from(text), 'b', size)).rejects.toThrow(Refusal);
  });

  it.each([
    ['name="f"; filename="us.jpg"', 'us.jpg'],
    ['name=f; filename=us at the sea.jpg', 'us at the sea.jpg'],
    ['name="f"; filename="Élise & Zoë 😀.jpg"', 'Élise & Zoë 😀.jpg'],
    ['name="f"; filename="a %22quoted%22 one.jpg"', 'a "quoted" one.jpg'],
    ['name="f"; filename="a \\"quoted\\" one.jpg"', 'a "quoted" one.jpg'],
    ['name="f"; filename="C:\\photos\\us.jpg"', 'C:\\photos\\us.jpg'],
    ['name="f"; filename="semi;colon.jpg"', 'semi;colon.jpg'],
    ['name="f"; filename*=UTF-8\'\'caf%C3%A9.jpg', 'café.jpg'],
    ['name="f"; filename="cafe.jpg"; filename*=UTF-8\'\'caf%C3%A9.jpg', 'café.jpg'],
    ['name="f"; filename*=utf-8\'fr\'%E2%82%AC.jpg; filename="x.jpg"', '€.jpg'],
    ['name="f"; filename*=iso-8859-1\'\'caf%E9.jpg', 'café.jpg'],
    ['name="f"; filename="x.jpg"; filename*=klingon\'\'%41', 'x.jpg'],
    ['filename="x.jpg"; name="f"', 'x.jpg'],
    ['name="f"; filename=""', ''],
  ])('reads a file name from %s', async (disposition, expected) => {
    expect(await nameIn(disposition)).toBe(expected);
  });

  it('treats an image without a name as a file', async () => {
    const [read] = await readAll(
      part('Content-Disposition: form-data; name="ImageFile"\r\nContent-Type: image/png'),
      'b',
    );
    expect(read?.fileName).toBe('');
  });

  it('finds the boundary in a content type', () => {
    expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc');
    expect(boundaryOf('Multipart/Form-Data; charset=utf-8; Boundary="a b;c"')).toBe('a b;c');
    expect(boundaryOf('multipart/form-data')).toBeNull();
    expect(boundaryOf('application/json; boundary=abc')).toBeNull();
    expect(boundaryOf(undefined)).toBeNull();
  });

  it('parses malicious headers quickly', async () => {
    // The time of the processor, which others may be using too.
    const start = process.cpuUsage();
    await nameIn(`name=f; ${'a'.repeat(15_000)}`);
    await nameIn(`name=f; x="${'\\'.repeat(15_000)}`);
    await nameIn(`${'; '.repeat(7_000)}name=f`);
    boundaryOf(`multipart/form-data;${' ;'.repeat(8_000)}`);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(1_000);
  });
});
