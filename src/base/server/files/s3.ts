import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { codeOf } from '../db/faults.ts';
import { TransferPlaces } from '../http/transfer-places.ts';
import type { S3Config } from '../process/config.ts';
import {
  assertStoredName,
  type ByteRange,
  FileMissing,
  type Files,
  isStoredName,
  LABEL_NAME,
  nullIfMissing,
  StoreUnavailable,
} from './files.ts';
import { INCOMING_FOLDER, IncomingFolder } from './incoming-folder.ts';
import { FILE_MODE } from './private-files.ts';

const CONNECT_MS = 5_000;
const RESPONSE_MS = 30_000;
/** A phone that downloads a photo slowly keeps the connection to the bucket open. */
const IDLE_MS = 120_000;
const MAX_CONNECTIONS = 200;
/** The photos that clients download at the same time, over connections of their own. */
const READERS = { ofCouple: 100, ofNode: 200 } as const;
/** Keeps the client from writing to the console. Errors are thrown, and logged with the request. */
const SILENT = { trace: noop, debug: noop, info: noop, warn: noop, error: noop };
function noop(): void {
  return undefined;
}

/**
 * Opens a photo store in an S3-compatible bucket, under `<prefix>/<coupleId>/<fileName>`. A photo is at most 100 MB, so a
 * single request uploads it, streamed from the disk, with its MD5, which the bucket checks before it acknowledges.
 */
export async function openS3(config: S3Config, dataDir: string): Promise<Files> {
  const incoming = await IncomingFolder.open(join(dataDir, INCOMING_FOLDER));
  const bucket = new Bucket(config);

  return {
    put: async (name, localPath, type) => {
      const [md5, { size }] = await Promise.all([md5Of(localPath), stat(localPath)]);
      const body = createReadStream(localPath);
      const request = new AbortController();
      try {
        await bucket.put(name, { body, size, md5, type }, request.signal);
      } catch (error) {
        // If a request fails before it is fully sent, the client leaves both the file and the connection open.
        request.abort();
        body.destroy();
        throw error;
      }
      // The response may arrive before the end of the file is read. The request then ends by itself.
      return localPath;
    },
    putBytes: (name, bytes, type) => bucket.putBytes(name, bytes, type),
    size: (name) => nullIfMissing(bucket.size(name)),
    read: (name, range) => bucket.get(name, range),
    isFaultOfFile: async (error) => mayBeOfObject(error) && (await bucket.readsLabel()),
    withLocal: async (name, work) => {
      const path = incoming.temporary();
      try {
        await pipeline(await bucket.get(name), createWriteStream(path, { flags: 'wx', mode: FILE_MODE }));
        return await work(path);
      } finally {
        await rm(path, { force: true });
      }
    },
    remove: (name) => bucket.remove(name),
    list: (coupleId) => bucket.list(coupleId === undefined ? '' : `${coupleId}/`),
    readLabel: () => bucket.label(),
    writeLabel: (text) => bucket.putBytes(LABEL_NAME, Buffer.from(text), 'application/json'),
    temporary: () => incoming.temporary(),
    leftovers: () => incoming.leftovers(),
    check: () => bucket.check(),
    create: () => bucket.create(),
  };
}

interface UploadObject {
  readonly body: Readable | Uint8Array;
  readonly size: number;
  /** Base64. */
  readonly md5: string;
  readonly type: string;
}

/** The requests to one bucket. Names exclude the prefix. */
class Bucket {
  readonly #client: S3Client;
  /** For photos, which are read as slowly as a phone downloads them: the health check and uploads never wait for them. */
  readonly #reading: S3Client;
  readonly #readers = new TransferPlaces(READERS);
  readonly #bucket: string;
  readonly #prefix: string;

  constructor({ bucket, prefix, endpoint, region }: S3Config) {
    this.#bucket = bucket;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    const options: S3ClientConfig = {
      region,
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      // Other vendors reject Amazon's newer checksums. All of them support ContentMD5.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 2,
      logger: SILENT,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: RESPONSE_MS,
        throwOnRequestTimeout: true,
        socketTimeout: IDLE_MS,
        httpAgent: { maxSockets: MAX_CONNECTIONS },
        httpsAgent: { maxSockets: MAX_CONNECTIONS },
      },
    };
    this.#client = new S3Client(options);
    this.#reading = new S3Client(options);
  }

  /** Creates the bucket if it is missing. One that doesn't respond is left alone; `/readyz` reports it. */
  async create(): Promise<void> {
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }));
    } catch (error) {
      if (statusOf(error) !== 404) return;
      await translateErrors(this.#client.send(new CreateBucketCommand({ Bucket: this.#bucket })));
    }
  }

  async check(): Promise<void> {
    const response = translateErrors(this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket })));
    if ((await nullIfMissing(response)) === null) throw noBucket();
  }

  async put(name: string, { body, size, md5, type }: UploadObject, abortSignal?: AbortSignal): Promise<void> {
    const input = { Body: body, ContentLength: size, ContentMD5: md5, ContentType: type };
    await translateErrors(this.#client.send(new PutObjectCommand({ ...this.#at(name), ...input }), { abortSignal }));
  }

  async putBytes(name: string, bytes: Uint8Array, type: string): Promise<void> {
    const md5 = createHash('md5').update(bytes).digest('base64');
    await this.put(name, { body: bytes, size: bytes.length, md5, type });
  }

  async size(name: string): Promise<number> {
    const head = await translateErrors(this.#client.send(new HeadObjectCommand(this.#at(name))));
    return head.ContentLength ?? 0;
  }

  /** @throws FileMissing; Refusal 429 or 503 if too many clients are reading */
  async get(name: string, range?: ByteRange): Promise<Readable> {
    const { signal, moved, leave } = this.#readers.enter(name.slice(0, name.indexOf('/')));
    const counted = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        moved(chunk.length);
        done(null, chunk);
      },
    });
    signal.addEventListener('abort', () => counted.destroy(signal.reason as Error));
    try {
      const body = await this.#get(this.#reading, name, range);
      pipeline(body, counted)
        .catch(() => undefined)
        .finally(leave);
    } catch (error) {
      leave();
      throw error;
    }
    return counted;
  }

  async #get(client: S3Client, name: string, range?: ByteRange): Promise<Readable> {
    const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
    const { Body } = await translateErrors(client.send(new GetObjectCommand({ ...this.#at(name), ...part })));
    // In Node.js this is always a Readable. The type also covers browsers.
    return Body as Readable;
  }

  label(): Promise<string | null> {
    return nullIfMissing(this.#get(this.#client, LABEL_NAME).then(textOf));
  }

  /** Whether it reads the label, or answers that there is none: a bucket may respond and refuse all objects. */
  async readsLabel(): Promise<boolean> {
    return this.label().then(
      () => true,
      () => false,
    );
  }

  async remove(name: string): Promise<void> {
    await translateErrors(this.#client.send(new DeleteObjectCommand(this.#at(name))));
  }

  async *list(folder: string): AsyncGenerator<string> {
    const prefix = this.#prefix + folder;
    let token: string | undefined;
    do {
      const page = await translateErrors(
        this.#client.send(new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token })),
      );
      for (const { Key: key } of page.Contents ?? []) {
        const name = key?.slice(this.#prefix.length) ?? '';
        if (isStoredName(name)) yield name;
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  #at(name: string): { Bucket: string; Key: string } {
    if (name !== LABEL_NAME) assertStoredName(name);
    return { Bucket: this.#bucket, Key: this.#prefix + name };
  }
}

/**
 * Translates the errors of a request to the bucket.
 * @throws FileMissing if the file doesn't exist; StoreUnavailable for any other error
 */
async function translateErrors<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (statusOf(error) === 404 && !isMissingBucket(error)) throw new FileMissing();
    if (isMissingBucket(error)) throw noBucket(error);
    throw new StoreUnavailable('The photo store is not responding.', { cause: error });
  }
}

/** Statuses of a store or a proxy that has too much to do, or no connection: they say nothing of the object. */
const BUSY = new Set([429, 502, 503, 504]);

/** Whether the bucket refused the object, or broke off in the middle of it. An outage looks the same. */
function mayBeOfObject(error: unknown): boolean {
  if (!(error instanceof StoreUnavailable)) return codeOf(error) === 'ECONNRESET';
  const status = statusOf(error.cause);
  return status !== undefined && status >= 400 && !BUSY.has(status);
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined;
  return (error.$metadata as { httpStatusCode?: number }).httpStatusCode;
}

function noBucket(cause?: unknown): StoreUnavailable {
  return new StoreUnavailable('The bucket in STORAGE_URL doesn’t exist.', { cause });
}

function isMissingBucket(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchBucket';
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('base64');
}
