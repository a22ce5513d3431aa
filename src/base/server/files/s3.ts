import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
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
} from '@aws-sdk/client-s3';
import { Refusal } from '../../refusal.ts';
import type { S3Config } from '../config.ts';
import { assertOurName, type ByteRange, FileMissing, type Files, isOurName, LABEL_NAME } from './files.ts';
import { FILE_MODE, Incoming } from './local.ts';

const CONNECT_MS = 5_000;
const ANSWER_MS = 30_000;
/** A phone that reads a photograph slowly holds its connection to the store meanwhile. */
const IDLE_MS = 120_000;
const CONNECTIONS = 200;
const RETRY_AFTER_S = 5;
/** The client would write to the console; what goes wrong is thrown, and logged where it is answered. */
const SILENT = { trace: silence, debug: silence, info: silence, warn: silence, error: silence };
function silence(): void {
  return undefined;
}

/**
 * Photographs in an S3-compatible store, under `<prefix>/<coupleId>/<fileName>`. A photograph is at most 100 MB, so one
 * request stores it, streamed from the disk, with its MD5, which the store checks before it acknowledges.
 */
export async function openS3(config: S3Config, dataDir: string): Promise<Files> {
  const incoming = await Incoming.open(dataDir);
  const bucket = new Bucket(config);
  await bucket.prepare();

  return {
    put: async (name, localPath, type) => {
      const [md5, { size }] = await Promise.all([md5Of(localPath), stat(localPath)]);
      const body = createReadStream(localPath);
      const request = new AbortController();
      try {
        await bucket.put(name, { body, size, md5, type }, request.signal);
      } catch (error) {
        // The client leaves both the file and the connection open where the request fails before it has sent all of it.
        request.abort();
        body.destroy();
        throw error;
      }
      // The answer may come before the end of the file is read: the request ends by itself, and frees its connection.
      return localPath;
    },
    putBytes: (name, bytes, type) => {
      const md5 = createHash('md5').update(bytes).digest('base64');
      return bucket.put(name, { body: bytes, size: bytes.length, md5, type });
    },
    size: async (name) => (await bucket.head(name))?.size ?? null,
    storedAt: async (name) => (await bucket.head(name))?.storedAt ?? null,
    read: (name, range) => bucket.get(name, range),
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
    readLabel: () => bucket.readLabel(),
    writeLabel: (text) => {
      const bytes = Buffer.from(text);
      const md5 = createHash('md5').update(bytes).digest('base64');
      return bucket.put(LABEL_NAME, { body: bytes, size: bytes.length, md5, type: 'application/json' });
    },
    temporary: () => incoming.temporary(),
    leftovers: () => incoming.leftovers(),
    check: () => bucket.check(),
  };
}

interface Stored {
  readonly body: Readable | Uint8Array;
  readonly size: number;
  /** Base64. */
  readonly md5: string;
  readonly type: string;
}

/** One bucket's calls, by our own names. */
class Bucket {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  constructor({ bucket, prefix, endpoint, region }: S3Config) {
    this.#bucket = bucket;
    this.#prefix = prefix === '' ? '' : `${prefix}/`;
    this.#client = new S3Client({
      region,
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      // Stores other than Amazon's refuse the newer checksums; ContentMD5 is known to all of them.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 2,
      logger: SILENT,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: ANSWER_MS,
        throwOnRequestTimeout: true,
        socketTimeout: IDLE_MS,
        httpAgent: { maxSockets: CONNECTIONS },
        httpsAgent: { maxSockets: CONNECTIONS },
      },
    });
  }

  /** Makes the bucket where it is missing. A store out of reach is none of the start's business: `/readyz` says it. */
  async prepare(): Promise<void> {
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }));
    } catch (error) {
      if (statusOf(error) !== 404) return;
      await this.#client.send(new CreateBucketCommand({ Bucket: this.#bucket }));
    }
  }

  async check(): Promise<void> {
    await reach(this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket })));
  }

  async put(name: string, { body, size, md5, type }: Stored, abortSignal?: AbortSignal): Promise<void> {
    const input = { Body: body, ContentLength: size, ContentMD5: md5, ContentType: type };
    await reach(this.#client.send(new PutObjectCommand({ ...this.#at(name), ...input }), { abortSignal }));
  }

  async head(name: string): Promise<{ size: number; storedAt: number } | null> {
    try {
      const head = await reach(this.#client.send(new HeadObjectCommand(this.#at(name))));
      return { size: head.ContentLength ?? 0, storedAt: head.LastModified?.getTime() ?? 0 };
    } catch (error) {
      if (error instanceof FileMissing) return null;
      throw error;
    }
  }

  async get(name: string, range?: ByteRange): Promise<Readable> {
    const part = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
    const { Body } = await reach(this.#client.send(new GetObjectCommand({ ...this.#at(name), ...part })));
    // In Node it is always a stream of Node's; the type also covers the browser's.
    return Body as Readable;
  }

  async readLabel(): Promise<string | null> {
    try {
      return await textOf(await this.get(LABEL_NAME));
    } catch (error) {
      if (error instanceof FileMissing) return null;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await reach(this.#client.send(new DeleteObjectCommand(this.#at(name))));
  }

  async *list(folder: string): AsyncGenerator<string> {
    const prefix = this.#prefix + folder;
    let token: string | undefined;
    do {
      const page = await reach(
        this.#client.send(new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token })),
      );
      for (const { Key: key } of page.Contents ?? []) {
        const name = key?.slice(this.#prefix.length) ?? '';
        if (isOurName(name)) yield name;
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  #at(name: string): { Bucket: string; Key: string } {
    if (name !== LABEL_NAME) assertOurName(name);
    return { Bucket: this.#bucket, Key: this.#prefix + name };
  }
}

/**
 * What the store answered.
 * @throws FileMissing where it has no such file; Refusal 503 where it can't be reached or won't do it
 */
async function reach<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (statusOf(error) === 404 && !isMissingBucket(error)) throw new FileMissing();
    const refusal = new Refusal(503, 'Our photo store is out of reach for a moment. Please try again.', {
      retryAfter: RETRY_AFTER_S,
    });
    // For our own log; nobody is told.
    refusal.cause = error;
    throw refusal;
  }
}

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined;
  return (error.$metadata as { httpStatusCode?: number }).httpStatusCode;
}

function isMissingBucket(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoSuchBucket';
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash('md5');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('base64');
}
