import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import { formatInstant } from '../../../base/instants.ts';
import { notFound, Refusal } from '../../../base/refusal.ts';
import type { Session } from '../../../base/server/calls/session.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { memoryLimits } from '../../../memories/rules.ts';
import type { PreviewMaker } from '../../../memories/server/pictures/preview-maker.ts';
import { finishUpload } from './finish-upload.ts';
import { deleteParts, storePart } from './upload-parts.ts';
import { deleteUpload, findUpload, insertUpload, isExpired, type UploadRow, uploadExpired } from './upload-store.ts';

/** The data store of `@tus/server` for one couple and one request. */
export class TusStore extends DataStore {
  override readonly extensions = ['creation', 'termination', 'expiration'];
  readonly #deps: Deps;
  readonly #previewMaker: PreviewMaker;
  readonly #session: Session;
  /** The upload that this request creates. */
  readonly #newUpload: UploadRow | null;

  constructor(deps: Deps, previewMaker: PreviewMaker, session: Session, newUpload: UploadRow | null) {
    super();
    this.#deps = deps;
    this.#previewMaker = previewMaker;
    this.#session = session;
    this.#newUpload = newUpload;
  }

  override async create(upload: Upload): Promise<Upload> {
    const { db, now, crashPoint } = this.#deps;
    const row = this.#newUpload;
    if (row === null) throw new Error('An upload is created without its row');
    // An earlier request with the same key may have created it.
    if (await findUpload(db.read, row.coupleId, row.id)) return upload;
    if (!(await db.write((tx) => insertUpload(tx, row, now() - memoryLimits.unfinishedMs)))) {
      throw new Refusal(409, 'The first request with this Idempotency-Key is still running.', { retryAfter: 1 });
    }
    crashPoint('started');
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
    const received = isFinished ? offset : offset + (await storePart(this.#deps, upload, offset, stream));
    // Here the lock is held. The tus server releases it before it reports that the upload is complete.
    if (received === upload.sizeBytes) {
      await finishUpload(this.#deps, this.#previewMaker, { session: this.#session, upload });
    }
    return received;
  }

  override async remove(id: string): Promise<void> {
    const { coupleId } = await this.#find(id);
    await deleteParts(this.#deps, coupleId, id);
    await this.#deps.db.write((tx) => deleteUpload(tx, coupleId, id));
  }

  override getExpiration(): number {
    return memoryLimits.unfinishedMs;
  }

  async #find(id: string): Promise<UploadRow> {
    const row = await findUpload(this.#deps.db.read, this.#session.coupleId, id);
    if (!row) throw notFound('Upload');
    if (isExpired(row, this.#deps.now())) throw uploadExpired();
    return row;
  }
}
