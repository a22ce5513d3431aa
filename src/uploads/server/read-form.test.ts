import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnSqlite } from '../../../tests/support/engines.ts';
import { planDateId } from '../../../tests/support/factories.ts';
import { makeJpeg } from '../../../tests/support/images.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { openFiles } from '../../base/server/files/open.ts';
import { readConfig } from '../../base/server/process/config.ts';

const UNKNOWN = '019ab3c4-1111-7222-8333-444455556666';
const part = (disposition: string, body: string | Buffer = '') =>
  Buffer.concat([
    Buffer.from(`--xx\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ]);
const END = Buffer.from('--xx--\r\n');

/** An endless stream of the same bytes. */
function* endless(bytes: Buffer): Generator<Buffer> {
  for (;;) yield bytes;
}

describeOnSqlite('a form', (engine) => {
  let app: TestApp;
  let ada: Partner;
  let dateId: string;
  let photo: Buffer;
  beforeAll(async () => {
    app = await startTestApp(engine);
    ({ ada } = await registerCouple(app));
    dateId = await planDateId(ada);
    photo = await makeJpeg();
  });
  afterAll(() => app.close());

  /** Sends a body in chunks over a socket until it ends or the server replies. Returns the status of the reply. */
  const send = (path: string, chunks: Iterable<Buffer>) =>
    new Promise<number>((done, failed) => {
      const { hostname, port } = new URL(app.url);
      const socket = connect(Number(port), hostname);
      const left = chunks[Symbol.iterator]();
      const write = () => {
        for (;;) {
          const next: IteratorResult<Buffer, unknown> = left.next();
          if (next.done) return socket.write('0\r\n\r\n');
          const size = Buffer.from(`${next.value.length.toString(16)}\r\n`);
          const isTaken = socket.write(Buffer.concat([size, next.value, CRLF]));
          if (!isTaken) return socket.once('drain', write);
        }
      };
      socket.on('error', failed);
      socket.once('data', (answer) => {
        socket.removeAllListeners('drain').destroy();
        done(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer.toString('latin1'))?.[1]));
      });
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${ada.token}\r\n` +
          'Content-Type: multipart/form-data; boundary=xx\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      write();
    });
  const file = () => part('name="ImageFile"; filename="a.jpg"', photo);
  const date = (id = dateId) => part('name="PlannedDateId"', id);
  const nothingLeft = async () => {
    const files = await openFiles(readConfig(app.storage.env));
    await expect.poll(() => files.leftovers(), { timeout: 20_000 }).toEqual([]);
  };

  describe('of an upload', () => {
    it.each<[string, () => Iterable<Buffer>, number]>([
      ['a thousand parts', () => [...Array.from({ length: 1_000 }, (_, n) => part(`name="f${n}"`)), file(), END], 400],
      ['empty parts without end', () => endless(part('name="a"')), 400],
      ['a part header of 1 MB', () => [part(`name="a"; x="${'x'.repeat(1_048_576)}"`), date(), END], 400],
      ['a part header without end', () => withHead('--xx\r\nX: ', endless(Buffer.alloc(65_536, 'x'))), 413],
      ['a part without a name', () => [part('filename="a.jpg"', 'x'), date(), file(), END], 400],
      ['a part with a very long name', () => [part(`name="${'n'.repeat(5_000)}"`, 'x'), date(), file(), END], 400],
      ['much before the first part', () => endless(Buffer.alloc(65_536, 'x')), 413],
      ['a text without end', () => withHead(part('name="Caption"'), endless(Buffer.alloc(65_536, 'x'))), 413],
      ['a second file', () => [date(), file(), file(), END], 400],
      ['a file behind an empty one', () => [date(), part('name="ImageFile"; filename=""'), file(), END], 400],
      [
        'a second file without end',
        () => withHead(Buffer.concat([date(), file(), OPEN]), endless(Buffer.alloc(65_536, 'x'))),
        413,
      ],
      ['further files that are too large together', () => [date(), file(), ...large(), ...large(), END], 413],
    ])('refuses %s', { tags: ['uploads.wire.2'] }, async (_, body, status) => {
      expect(await send('/api/Memories', body())).toBe(status);
      await nothingLeft();
    });
  });

  it('reports an unknown date before a second file', { tags: ['uploads.wire.2'] }, async () => {
    expect(await send('/api/Memories', [file(), file(), date(UNKNOWN), END])).toBe(404);
    await nothingLeft();
  });

  it('may contain unknown fields', async () => {
    const unknown = Array.from({ length: 10 }, (_, n) => part(`name="f${n}"`, 'x'));
    expect(await send('/api/Memories', [...unknown, date(), file(), END])).toBe(201);
    expect(await send('/api/Memories/validate', [...unknown, file(), END])).toBe(200);
  });
});

const CRLF = Buffer.from('\r\n');
const OPEN = Buffer.from('--xx\r\nContent-Disposition: form-data; name="ImageFile"; filename="b.jpg"\r\n\r\n');

/** A file of 62.5 MB: one is within the limit, and two are not. */
function* large(): Generator<Buffer> {
  yield* withHead(OPEN, Array<Buffer>(1_000).fill(Buffer.alloc(65_536, 'x')));
  yield CRLF;
}

function* withHead(head: string | Buffer, rest: Iterable<Buffer>): Generator<Buffer> {
  yield Buffer.from(head);
  yield* rest;
}
