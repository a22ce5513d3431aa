import { rm } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { readCouple } from '../../auth/server/store.ts';
import type { FieldError } from '../../base/refusal.ts';
import { notFound, Refusal } from '../../base/refusal.ts';
import { isId } from '../../base/schema.ts';
import { Answer, created } from '../../base/server/answer.ts';
import type { Writer } from '../../base/server/db/db.ts';
import type { Deps } from '../../base/server/deps.ts';
import { toRefusal } from '../../base/server/errors.ts';
import { flushFile } from '../../base/server/files/local.ts';
import type { Context } from '../../base/server/serve.ts';
import { textOrNull } from '../../base/text.ts';
import { findDateRow, lockDate } from '../../dates/server/store.ts';
import type { Memory } from '../../memories/contract.ts';
import { cleanFileName } from '../../memories/file-name.ts';
import type { MediaType, Size } from '../../memories/rules.ts';
import { toMemory } from '../../memories/server/memory.ts';
import { fileNameOf, newStem, storedName } from '../../memories/server/names.ts';
import { addPendingFiles, removeOwnPendingFile, removePendingFile } from '../../memories/server/pending-file-store.ts';
import { type Judged, judgePicture, typeOf, wrongType } from '../../memories/server/pictures/picture.ts';
import type { Workshop } from '../../memories/server/pictures/workshop.ts';
import type { MemoryRow } from '../../memories/server/store.ts';
import { findTwin, insertMemory } from '../../memories/server/store.ts';
import type { uploadCalls } from '../contract.ts';
import { captionFault } from '../selection.ts';
import { type Form, readForm } from './form.ts';
import type { ReceivedFile } from './receive-file.ts';

/**
 * The steps of keeping a photograph, in order; the intent is written while it is decoded, and the original stored while
 * its thumbnail is made. At each of them the server may be killed: no row is without its files, and what was
 * stored for a row that never came is found by its intent (issue: a photograph acknowledged is safe).
 */
export const STEPS = [
  'receiving',
  'received',
  'intent written',
  'judged',
  'thumbnail stored',
  'original stored',
  'row written',
  'committed',
] as const;

type UploadContext = Pick<
  Context<'POST /api/Memories', (typeof uploadCalls)['POST /api/Memories']>,
  'session' | 'claim' | 'create'
> & {
  /** Runs in the transaction that keeps the photograph; a throw keeps nothing. */
  readonly onKeep?: (tx: Writer, memoryId: string) => Promise<void>;
};

/** A form that is in order. */
interface Upload {
  readonly file: ReceivedFile;
  readonly type: MediaType;
  readonly dateId: string;
  readonly caption: string | null;
}

/**
 * Keeps a photograph: the bytes to a temporary file with their hash, an intent, a full decode, original and thumbnail
 * stored and flushed, then the row, the end of the intent and the kept reply in one transaction, then the answer.
 * 201 with the memory; 200 with the one that is there, where the date has the same bytes (contract 3, Memories).
 * @param receive brings it to a local file, which it names by `begin`, and says what goes with it
 */
export async function keepPhotograph(
  deps: Deps,
  workshop: Workshop,
  context: UploadContext,
  receive: (keeping: Keeping) => Promise<Form>,
): Promise<Answer<Memory>> {
  const keeping = new Keeping(deps, workshop, context);
  try {
    const upload = assertUpload(await receive(keeping));
    keeping.step('received');
    return await workshop.duringUpload(() => keeping.keep(upload));
  } finally {
    await keeping.end();
  }
}

/** Receives a photograph that is sent whole, as a form. */
export function receiveForm(request: FastifyRequest): (keeping: Keeping) => Promise<Form> {
  return (keeping) =>
    readForm(request, {
      receive: () => keeping.begin(),
      onText: (field, text) => keeping.assertDate(field, text),
      onPiece: () => keeping.step('receiving'),
    });
}

/** One photograph on its way. */
export class Keeping {
  readonly #deps: Deps;
  readonly #workshop: Workshop;
  readonly #context: UploadContext;
  readonly #stem = newStem();
  readonly #stored: string[] = [];
  /** Not there until something is about to be stored. */
  #intent: Promise<void> | null = null;
  /** When the intent was opened, by which it is known as our own. */
  #intentAt = 0;
  #temporary: string | null = null;
  /** Whether the files are nobody's: nothing was stored for good, and that is certain. */
  #undo = true;

  constructor(deps: Deps, workshop: Workshop, context: UploadContext) {
    this.#deps = deps;
    this.#workshop = workshop;
    this.#context = context;
  }

  step(name: (typeof STEPS)[number]): void {
    this.#deps.step(name);
  }

  /** Says where it may lie until it is known to be a photograph. */
  begin(): string {
    this.#temporary = this.#deps.files.temporary();
    return this.#temporary;
  }

  /** Says what is about to be stored. */
  async #writeIntent(): Promise<void> {
    const { db, now } = this.#deps;
    const { coupleId } = this.#context.session;
    this.#intentAt = now();
    await db.write((tx) => addPendingFiles(tx, coupleId, { stems: [this.#stem], now: this.#intentAt }));
    this.step('intent written');
  }

  /** Refuses an unknown date as soon as it is named. A retry gets its first answer, whatever became of the date. */
  async assertDate(field: string, text: string): Promise<void> {
    const id = textOrNull(text);
    if (field !== 'PlannedDateId' || id === null || this.#context.claim?.kept) return;
    const found = isId(id) && (await findDateRow(this.#deps.db.read, this.#context.session.coupleId, id));
    if (!found) throw notFound('Planned date');
  }

  async keep(upload: Upload): Promise<Answer<Memory>> {
    const { file, dateId, caption } = upload;
    const content = JSON.stringify([file.sha256, dateId, caption]);
    const { session, claim, create, onKeep } = this.#context;
    const known =
      claim?.kept || (await findTwin(this.#deps.db.read, session.coupleId, { dateId, sha256: file.sha256 }));
    const row = known ? null : await this.#store(upload);
    const write = async (tx: Writer) => {
      const written = await this.#write(tx, upload, row);
      await onKeep?.(tx, written.body.id);
      return written;
    };
    const answer = await create(write, content).catch((error: unknown) => {
      // Our own refusals and a full disk are certain to have kept nothing.
      if (error instanceof Refusal || toRefusal(error)?.status === 507) this.#undo = true;
      throw error;
    });
    // Another request with the same key was answered while this one was stopped: its photograph is the memory.
    if (row !== null && answer.body.id !== row.id) this.#undo = true;
    if (this.#undo || row === null) return answer;
    this.step('committed');
    this.#workshop.previewLater(row, this.#lend());
    return answer;
  }

  /** Judges the photograph and stores its files; answers the row that will make it a memory. */
  async #store({ file, type, dateId, caption }: Upload): Promise<MemoryRow> {
    const { db, files } = this.#deps;
    const { coupleId } = this.#context.session;
    const { timeZone } = await readCouple(db.read, coupleId);
    const fileName = fileNameOf(this.#stem, type);
    const nameOf = (size: Size) => storedName(coupleId, fileName, size);
    this.#stored.push(nameOf('thumbnail'), nameOf('original'));
    const flushed = unheard(flushFile(file.path));
    const storing = [flushed];
    const on = {
      decoding: () => {
        this.#intent = unheard(this.#writeIntent());
      },
      // What was decoded whole is stored while its thumbnail is still being made.
      whole: () => {
        this.step('judged');
        storing.push(unheard(flushed.then(() => this.#storeOriginal(nameOf('original'), file.path, type))));
      },
    };
    try {
      const judged = await judgePicture(file.path, type, timeZone, on);
      await this.#intent;
      await files.putBytes(nameOf('thumbnail'), judged.thumbnail, 'image/webp');
      this.step('thumbnail stored');
      await Promise.all(storing);
      return this.#rowOf({ file, type, dateId, caption }, fileName, judged);
    } finally {
      // Nothing is still being stored when what was stored is taken back.
      await Promise.allSettled(storing);
    }
  }

  async #storeOriginal(name: string, path: string, type: MediaType): Promise<void> {
    await this.#intent;
    const local = await this.#deps.files.put(name, path, type);
    // On a disk it has moved there; for a store it is still here.
    if (local !== path) this.#temporary = null;
    this.step('original stored');
  }

  #rowOf({ file, dateId, caption }: Upload, fileName: string, judged: Judged): MemoryRow {
    const { width, height, thumbHash, takenAt } = judged;
    const { coupleId } = this.#context.session;
    const fileExtension = fileName.slice(fileName.indexOf('.'));
    return {
      ...{ coupleId, id: uuidv7(), dateId, fileName, caption, width, height, thumbHash, takenAt },
      originalFileName: cleanFileName(file.rawName, `photo${fileExtension}`),
      fileExtension,
      ...{ fileSizeBytes: file.size, sha256: file.sha256, uploadedAt: this.#deps.now() },
      ...{ deletedAt: null, deletedBy: null, dateDeletedAt: null },
    };
  }

  /** The transaction. The date is held, so that nobody deletes or cancels it, or gives it the same bytes meanwhile. */
  async #write(tx: Writer, { dateId, file }: Upload, row: MemoryRow | null): Promise<Answer<Memory>> {
    const { coupleId, userId } = this.#context.session;
    const date = await lockDate(tx, coupleId, dateId);
    if (!date) throw notFound('Planned date');
    const twin = await findTwin(tx, coupleId, { dateId, sha256: file.sha256 });
    if (twin) return new Answer(toMemory(twin), { status: 200 });
    if (date.status === 'Cancelled') throw cancelled();
    // Its twin was deleted in this very moment.
    if (row === null) throw new Refusal(503, 'This photograph was just deleted. Please try again.', { retryAfter: 1 });
    // While this node was stopped, a sweep took its files for those of an interrupted upload.
    if (!(await removeOwnPendingFile(tx, coupleId, { stem: this.#stem, createdAt: this.#intentAt }))) throw swept();
    await insertMemory(tx, row);
    await this.#deps.announce(tx, coupleId, { entity: 'memory', id: row.id, action: 'created', by: userId });
    this.step('row written');
    // From here on only the commit knows. Where it fails without a word, the sweep looks again tomorrow.
    this.#undo = false;
    return created(toMemory(row), `/api/Memories/${row.id}`);
  }

  /** Hands the temporary file over, where it is still there. */
  #lend(): string | null {
    const lent = this.#temporary;
    this.#temporary = null;
    return lent;
  }

  /** Leaves nothing behind of what was not kept. What can't be removed now, the sweep removes. */
  async end(): Promise<void> {
    const { db, files, log } = this.#deps;
    const { coupleId } = this.#context.session;
    try {
      if (this.#temporary !== null) await rm(this.#temporary, { force: true });
      if (!this.#undo || this.#intent === null) return;
      await this.#intent.catch(() => undefined);
      await Promise.all(this.#stored.map((name) => files.remove(name)));
      await db.write((tx) => removePendingFile(tx, coupleId, this.#stem));
    } catch (error) {
      log.warn({ err: error }, 'what was not kept is left to the sweep');
    }
  }
}

/** A promise that is waited for later: should it fail before, that is not yet an error that nobody heard of. */
function unheard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

function swept(): Refusal {
  return new Refusal(503, 'The upload took too long. Nothing was saved; please try again.', { retryAfter: 1 });
}

/** The refusal of a memory for a date that does not take place. */
export function cancelled(): Refusal {
  return new Refusal(409, 'This date was cancelled. No memories can be added to it.');
}

/**
 * A form in order, or what it is refused for: the type first, then all that is missing or wrong at once.
 * @throws Refusal 415, 400
 */
function assertUpload({ file, texts, errors: found }: Form): Upload {
  const type = file === null ? null : typeOf(file.head);
  if (file !== null && type === null) throw wrongType();
  const dateId = textOrNull(texts.get('PlannedDateId'));
  const caption = textOrNull(texts.get('Caption'));
  const errors: FieldError[] = [...found];
  const fault = (field: string, message: string | undefined) => {
    if (message !== undefined && !errors.some((known) => known.field === field)) errors.push({ field, message });
  };
  if (file === null) fault('ImageFile', 'Please choose a photograph');
  if (dateId === null) fault('PlannedDateId', 'Please choose a date');
  fault('Caption', captionFault(texts.get('Caption') ?? ''));
  if (file === null || type === null || dateId === null || errors.length > 0) {
    throw new Refusal(400, errors.map(({ message }) => message).join('. '), { errors });
  }
  return { file, type, dateId, caption };
}
