import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnBoth, postgresAndS3, sqliteAndDisk } from '../../../../tests/support/engines.ts';
import { createTestStorage, setS3Credentials, type TestStorage } from '../../../../tests/support/test-storage.ts';
import { toRefusal } from '../http/to-refusal.ts';
import { readConfig } from '../process/config.ts';
import { FileMissing, type Files, StoreUnavailable } from './files.ts';
import { openFiles } from './open.ts';

const COUPLE = '019ab3c4-1111-7222-8333-444455556666';

async function open(
  storage: TestStorage,
  env: Record<string, string> = {},
): Promise<{ files: Files; dataDir: string }> {
  setS3Credentials(storage);
  const config = readConfig({ ...storage.env, ...env });
  return { files: await openFiles(config), dataDir: config.dataDir };
}

async function localFile(files: Files, bytes: Uint8Array): Promise<string> {
  const path = files.temporary();
  await writeFile(path, bytes);
  return path;
}

const bytesOf = async (stream: Promise<Readable>) => buffer(await stream);

describeOnBoth('the photo store', (engine) => {
  let storage: TestStorage;
  let files: Files;
  let dataDir: string;
  beforeAll(async () => {
    storage = await createTestStorage(engine);
    ({ files, dataDir } = await open(storage));
    await files.create();
  });
  afterAll(() => storage.remove());

  it('returns a stored file in full and by ranges', async () => {
    const bytes = randomBytes(300_000);
    const name = `${COUPLE}/aa01.jpg`;
    const local = await files.put(name, await localFile(files, bytes), 'image/jpeg');
    expect((await readFile(local)).equals(bytes)).toBe(true);
    expect(await files.size(name)).toBe(300_000);
    expect((await bytesOf(files.read(name))).equals(bytes)).toBe(true);
    expect((await bytesOf(files.read(name, { start: 0, end: 0 }))).equals(bytes.subarray(0, 1))).toBe(true);
    expect((await bytesOf(files.read(name, { start: 1000, end: 299_999 }))).equals(bytes.subarray(1000))).toBe(true);
  });

  it('stores bytes from memory', async () => {
    await files.putBytes(`${COUPLE}/aa02.preview.webp`, Buffer.from('a small picture'), 'image/webp');
    expect((await bytesOf(files.read(`${COUPLE}/aa02.preview.webp`))).toString()).toBe('a small picture');
  });

  it('provides a file as a local path', async () => {
    await files.putBytes(`${COUPLE}/aa03.png`, Buffer.from('lent'), 'image/png');
    const lent = await files.withLocal(`${COUPLE}/aa03.png`, (path) => readFile(path, 'utf8'));
    expect(lent).toBe('lent');
    await expect(files.withLocal(`${COUPLE}/none.png`, async () => 'reached')).rejects.toThrow(FileMissing);
  });

  it('reports missing files and removes them without an error', async () => {
    const name = `${COUPLE}/aa04.gif`;
    expect(await files.size(name)).toBeNull();
    await expect(files.read(name)).rejects.toThrow(FileMissing);
    await files.putBytes(name, Buffer.from('x'), 'image/gif');
    await files.remove(name);
    await files.remove(name);
    await expect(files.read(name)).rejects.toThrow(FileMissing);
  });

  it('lists the names of every couple', async () => {
    const other = '019ab3c4-9999-7222-8333-444455556666';
    await files.putBytes(`${other}/bb01.jpg`, Buffer.from('1'), 'image/jpeg');
    await files.putBytes(`${COUPLE}/bb02.jpg`, Buffer.from('2'), 'image/jpeg');
    const names = await Array.fromAsync(files.list());
    expect(names).toEqual(expect.arrayContaining([`${other}/bb01.jpg`, `${COUPLE}/bb02.jpg`]));
  });

  it('gives access only to names that the server chooses', async () => {
    for (const name of [
      '../secret',
      `${COUPLE}/../../x.jpg`,
      `${COUPLE}/.hidden`,
      '/etc/passwd',
      `${COUPLE}/a/b.jpg`,
    ]) {
      const local = await localFile(files, Buffer.from('x'));
      await expect(files.put(name, local, 'image/jpeg')).rejects.toThrow(/Not a name of a stored file/);
      await expect(async () => files.read(name)).rejects.toThrow(/Not a name of a stored file/);
      await expect(async () => files.remove(name)).rejects.toThrow(/Not a name of a stored file/);
    }
  });

  it('lists leftover temporary files with their age', async () => {
    const path = await localFile(files, Buffer.from('left'));
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(path, yesterday, yesterday);
    const found = (await files.leftovers()).find((file) => file.path === path);
    expect(Math.abs((found?.writtenAt ?? 0) - yesterday.getTime())).toBeLessThan(2_000);
    expect(dirname(path).startsWith(dataDir)).toBe(true);
  });

  it('passes its health check', async () => {
    await expect(files.check()).resolves.not.toThrow();
  });
});

describe('the photo store on a disk', () => {
  it('makes files and folders readable only by their owner', async () => {
    const storage = await createTestStorage(sqliteAndDisk);
    const { files, dataDir } = await open(storage);
    await files.putBytes(`${COUPLE}/aa.jpg`, Buffer.from('x'), 'image/jpeg');
    const modes = await Promise.all(
      ['photos', 'photos/.incoming', `photos/${COUPLE}`, `photos/${COUPLE}/aa.jpg`].map(
        async (path) => (await stat(join(dataDir, path))).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
    await storage.remove();
  });

  it('leaves no temporary file behind if storing fails', async () => {
    const storage = await createTestStorage(sqliteAndDisk);
    const { files, dataDir } = await open(storage);
    // A folder has the name that the file should get.
    await mkdir(join(dataDir, `photos/${COUPLE}/cc.jpg`), { recursive: true });
    await expect(files.putBytes(`${COUPLE}/cc.jpg`, Buffer.from('x'), 'image/jpeg')).rejects.toThrow(
      /EISDIR|ENOTEMPTY/,
    );
    expect(await readdir(join(dataDir, 'photos/.incoming'))).toEqual([]);
    await storage.remove();
  });

  it.skipIf(process.platform !== 'linux')(
    'can be on another disk than the rest of DATA_DIR',
    { tags: ['running.start.9'] },
    async () => {
      const storage = await createTestStorage(sqliteAndDisk);
      const dataDir = storage.env.DATA_DIR ?? '';
      const elsewhere = dataDir.startsWith('/dev/shm/') ? tmpdir() : '/dev/shm';
      const other = await mkdtemp(join(elsewhere, 'our-love-story-test-'));
      expect((await stat(other)).dev).not.toBe((await stat(dataDir)).dev);
      await symlink(other, join(dataDir, 'photos'));
      const { files } = await open(storage);
      await files.put(`${COUPLE}/aa.jpg`, await localFile(files, Buffer.from('moved')), 'image/jpeg');
      await files.putBytes(`${COUPLE}/bb.jpg`, Buffer.from('written'), 'image/jpeg');
      await files.writeLabel('a label');
      expect((await bytesOf(files.read(`${COUPLE}/aa.jpg`))).toString()).toBe('moved');
      expect((await Array.fromAsync(files.list())).sort()).toEqual([`${COUPLE}/aa.jpg`, `${COUPLE}/bb.jpg`]);
      await rm(other, { recursive: true });
      await storage.remove();
    },
  );

  it('lists what an earlier version has left beside it', async () => {
    const storage = await createTestStorage(sqliteAndDisk);
    const { files, dataDir } = await open(storage);
    await mkdir(join(dataDir, 'incoming'));
    await writeFile(join(dataDir, 'incoming', 'old.part'), 'x');
    expect((await files.leftovers()).map(({ path }) => path)).toEqual([join(dataDir, 'incoming', 'old.part')]);
    await storage.remove();
  });
});

/** The files in a folder that this process has open. */
async function openBelow(folder: string): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((path) => path.startsWith(folder));
}

describe.skipIf(process.platform !== 'linux')('an S3 store that fails', () => {
  it.each([
    ['refuses each connection', null],
    ['answers 500', (socket: Socket) => socket.end('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n')],
    ['closes the connection in the middle of a photograph', (socket: Socket) => socket.destroy()],
  ])('leaves no file open when it %s', { tags: ['uploads.wire.9'] }, async (_, fail) => {
    process.env.AWS_ACCESS_KEY_ID ??= 'nobody';
    process.env.AWS_SECRET_ACCESS_KEY ??= 'nothing';
    const storage = await createTestStorage(sqliteAndDisk);
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => fail?.(socket));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    if (fail === null) server.close();
    const { files, dataDir } = await open(storage, {
      STORAGE_URL: `s3://album?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    });
    for (let count = 0; count < 10; count += 1) {
      const local = await localFile(files, randomBytes(500_000));
      await expect(files.put(`${COUPLE}/dd${count}.jpg`, local, 'image/jpeg')).rejects.toThrow(StoreUnavailable);
    }
    await expect.poll(() => openBelow(dataDir)).toEqual([]);
    server.close();
    await storage.remove();
  });
});

it('frees its connection to an S3 store after each photo, even if the response arrives with the last byte', {
  tags: ['uploads.wire.9'],
}, async () => {
  process.env.AWS_ACCESS_KEY_ID ??= 'nobody';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'nothing';
  const storage = await createTestStorage(sqliteAndDisk);
  const connections = new Set<Socket>();
  const server = createHttpServer((request, response) => {
    connections.add(request.socket);
    let missing = Number(request.headers['content-length'] ?? 0);
    request.on('data', (part: Buffer) => {
      missing -= part.length;
      if (missing === 0) response.end();
    });
    if (missing === 0) response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { files } = await open(storage, {
    STORAGE_URL: `s3://album?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
  });
  for (let count = 0; count < 200; count += 1) {
    const local = await localFile(files, randomBytes(100_000));
    await files.put(`${COUPLE}/ee${count}.jpg`, local, 'image/jpeg');
    await rm(local);
  }
  // A connection that is never freed keeps the process from exiting, and many of them exhaust the pool.
  expect(connections.size).toBeLessThan(4);
  server.closeAllConnections();
  server.close();
  await storage.remove();
});

describe('a bucket that many clients read slowly', () => {
  it('still answers to the health check and to uploads, and refuses further clients at once', {
    tags: ['wire.http.7'],
  }, async () => {
    const storage = await createTestStorage(postgresAndS3);
    const { files } = await open(storage);
    // More than a stream reads ahead, so that nobody who doesn't read frees a connection.
    const bytes = randomBytes(524_288);
    const names = [COUPLE, COUPLE.replace('1111', '2222'), COUPLE.replace('1111', '3333')].map((id) => `${id}/ee.jpg`);
    for (const name of names) await files.put(name, await localFile(files, bytes), 'image/jpeg');
    const [first = '', second = '', third = ''] = names;
    const unread = await Promise.all(Array.from({ length: 200 }, (_, n) => files.read(n % 2 === 0 ? first : second)));
    await files.check();
    await files.putBytes(`${COUPLE}/ff.jpg`, Buffer.from('new'), 'image/jpeg');
    expect(await files.size(`${COUPLE}/ff.jpg`)).toBe(3);
    await expect(files.read(third)).rejects.toMatchObject({ status: 503, retryAfter: 5 });
    unread.pop()?.destroy();
    await expect.poll(() => files.read(third).then(buffer, () => null)).toEqual(bytes);
    for (const stream of unread) stream.destroy();
    await storage.remove();
  });
});

describe('an unavailable photo store', () => {
  it('answers 503 and still opens', async () => {
    process.env.AWS_ACCESS_KEY_ID ??= 'nobody';
    process.env.AWS_SECRET_ACCESS_KEY ??= 'nothing';
    const storage = await createTestStorage(sqliteAndDisk);
    const nowhere = `s3://album?endpoint=${encodeURIComponent('http://127.0.0.1:9')}`;
    const { files } = await open(storage, { STORAGE_URL: nowhere });
    const refused = await files.size(`${COUPLE}/aa.jpg`).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect(toRefusal(refused)).toMatchObject({ status: 503, retryAfter: 5 });
    await expect(files.check()).rejects.toThrow(StoreUnavailable);
    await expect(files.put(`${COUPLE}/aa.jpg`, await localFile(files, Buffer.from('x')), 'image/jpeg')).rejects.toThrow(
      StoreUnavailable,
    );
    await storage.remove();
  });
});
