import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import { notFound, Refusal } from '../../../base/refusal.ts';
import type { Deps } from '../../../base/server/deps.ts';
import type { Session } from '../../../base/server/serve.ts';
import { formatInstant } from '../../../base/time.ts';
import { memoryLimits } from '../../../memories/rules.ts';
import type { Workshop } from '../../../memories/server/pictures/workshop.ts';
import { keepPieces } from './finish-upload.ts';
import { dropPieces, storePiece } from './parts.ts';
import { deleteUpload, findUpload, insertUpload, type UploadRow } from './upload-store.ts';

/** The refusal of an upload that was begun too long ago. */
export function expired(): Refusal {
  return new Refusal(410, 'This upload was begun too long ago. Please begin it again.');
}

export function isExpired({ createdAt }: Pick<UploadRow, 'createdAt'>, now: number): boolean {
  return now - createdAt > memoryLimits.unfinishedMs;
}

/** One couple's uploads, as the tus server asks for them. One is made for each request. */
export class CoupleUploads extends DataStore {
  override readonly extensions = ['creation', 'termination', 'expiration'];
  readonly #deps: Deps;
  readonly #workshop: Workshop;
  readonly #session: Session;
  /** The upload that this request begins. */
  readonly #begun: UploadRow | null;

  constructor(deps: Deps, workshop: Workshop, session: Session, begun: UploadRow | null) {
    super();
    this.#deps = deps;
    this.#workshop = workshop;
    this.#session = session;
    this.#begun = begun;
  }

  override async create(upload: Upload): Promise<Upload> {
    const { db, step } = this.#deps;
    const begun = this.#begun;
    if (begun === null) throw new Error('An upload that nobody began');
    // What was begun before with the same key is there already.
    if (await findUpload(db.read, begun.coupleId, begun.id)) return upload;
    if (!(await db.write((tx) => insertUpload(tx, begun)))) {
      throw new Refusal(409, 'The first request with this Idempotency-Key is still running.', { retryAfter: 1 });
    }
    step('begun');
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { sizeBytes, receivedBytes, createdAt, dateId, caption, deviceName } = await this.#find(id);
    const metadata: Record<string, string> = { PlannedDateId: dateId, filename: deviceName };
    if (caption !== null) metadata.Caption = caption;
    return new Upload({
      id,
      size: sizeBytes,
      offset: receivedBytes,
      metadata,
      creation_date: formatInstant(createdAt),
    });
  }

  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const upload = await this.#find(id);
    const isFinished = upload.memoryId !== null || upload.refusal !== null;
    const received = isFinished ? offset : offset + (await storePiece(this.#deps, upload, offset, stream));
    // Inside of the hold on it, which the tus server lets go of before it tells that an upload is complete.
    if (received === upload.sizeBytes) {
      await keepPieces(this.#deps, this.#workshop, { session: this.#session, upload });
    }
    return received;
  }

  override async remove(id: string): Promise<void> {
    const { coupleId } = await this.#find(id);
    await dropPieces(this.#deps, coupleId, id);
    await this.#deps.db.write((tx) => deleteUpload(tx, coupleId, id));
  }

  override getExpiration(): number {
    return memoryLimits.unfinishedMs;
  }

  async #find(id: string): Promise<UploadRow> {
    const row = await findUpload(this.#deps.db.read, this.#session.coupleId, id);
    if (!row) throw notFound('Upload');
    if (isExpired(row, this.#deps.now())) throw expired();
    return row;
  }
}
