import { isErased } from '../../../auth/server/couple/deletion-store.ts';
import type { CoupleId } from '../../../base/ids.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { isStoredName } from '../../../base/server/files/files.ts';
import { assertOwnStore } from '../../../base/server/files/store-identity.ts';
import { readScheduledJob, recordScheduledJob } from '../../../base/server/jobs/job-store.ts';
import { partsOf, possibleFileNames, stemOf, variantNames } from '../stored-names.ts';

type OrphanDeps = Pick<Deps, 'db' | 'files' | 'now'>;

/** A stored file that no row names. */
export interface Orphan {
  /** Its stored name: the couple's id, then the file name. */
  readonly name: string;
  readonly bytes: number;
}

/** How many orphans the last complete search found. */
export interface OrphanFigures {
  readonly files: number;
  readonly bytes: number;
}

/** Files per query, few enough for one statement (see `MOST_VALUES`). */
const BATCH = 500;

/**
 * Lists the whole photo store and finds the files that no row names. Each upload, import and preview has a row before its
 * file is stored, so a file of any age without one is left over from something else, such as a lost database.
 */
export async function* findOrphans({ db, files }: Pick<Deps, 'db' | 'files'>): AsyncGenerator<Orphan> {
  for await (const { coupleId, names } of byCouple(files.list())) {
    for (const name of await unnamed(db.read, coupleId, names)) {
      const bytes = await files.size(name);
      // It may have been removed since it was listed.
      if (bytes !== null) yield { name, bytes };
    }
  }
}

/** Records what a complete search found, for the metrics. */
export async function recordOrphans({ db, now }: OrphanDeps, found: OrphanFigures): Promise<void> {
  await db.write((tx) => recordScheduledJob(tx, 'orphans', { doneAt: now(), state: found }));
}

/** What the last complete search found; zeros before the first. */
export async function readOrphans(reader: Reader): Promise<OrphanFigures> {
  const { state } = await readScheduledJob<OrphanFigures>(reader, 'orphans');
  return state ?? { files: 0, bytes: 0 };
}

/**
 * Deletes orphans that an operator has named, one after the other.
 * @returns null; or the first name that is not an orphan's, and then nothing is deleted
 * @throws WrongStore if the store belongs to another database, whose rows may name the files
 */
export async function deleteOrphans(deps: OrphanDeps, names: readonly string[]): Promise<string | null> {
  await assertOwnStore(deps);
  for (const name of names) {
    const isOrphan = isStoredName(name) && (await unnamed(deps.db.read, partsOf(name).coupleId, [name])).length === 1;
    if (!isOrphan || (await deps.files.size(name)) === null) return name;
  }
  for (const name of names) await deps.files.remove(name);
  return null;
}

/** Those of a couple's stored files that no row names. The row of a space that is being deleted names all of its files. */
async function unnamed(reader: Reader, coupleId: CoupleId, names: readonly string[]): Promise<string[]> {
  const stemIn = (name: string) => stemOf(partsOf(name).fileName);
  const stems = await namedStems(reader, coupleId, [...new Set(names.map(stemIn))]);
  const found = names.filter((name) => !stems.has(stemIn(name)));
  return found.length > 0 && (await isErased(reader, coupleId)) ? [] : found;
}

/**
 * Which of these stems a row names: a memory (also in the trash), a pending file, a photograph that is being imported, or a
 * part of a resumable upload. It is one statement, so that it also finds a stem that moves between tables at the same time.
 */
async function namedStems(reader: Reader, coupleId: CoupleId, stems: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('memories')
    .select('fileName as name')
    .where('coupleId', '=', coupleId)
    .where('fileName', 'in', stems.flatMap(possibleFileNames))
    .unionAll(
      reader
        .selectFrom('pendingFiles')
        .select('fileName as name')
        .where('coupleId', '=', coupleId)
        .where('fileName', 'in', [...stems, ...stems.flatMap(variantNames)]),
    )
    .unionAll(
      reader
        .selectFrom('importedFiles')
        .select('fileName as name')
        .where('coupleId', '=', coupleId)
        .where('fileName', 'in', stems.flatMap(possibleFileNames)),
    )
    .unionAll(
      reader.selectFrom('pieces').select('stem as name').where('coupleId', '=', coupleId).where('stem', 'in', stems),
    )
    .execute();
  return new Set(rows.map(({ name }) => stemOf(name)));
}

/** Groups stored names into batches of one couple each. */
export async function* byCouple(
  names: AsyncIterable<string>,
): AsyncGenerator<{ readonly coupleId: CoupleId; readonly names: string[] }> {
  let batch: { readonly coupleId: CoupleId; readonly names: string[] } | null = null;
  for await (const name of names) {
    const { coupleId } = partsOf(name);
    if (batch !== null && (batch.coupleId !== coupleId || batch.names.length === BATCH)) {
      yield batch;
      batch = null;
    }
    batch ??= { coupleId, names: [] };
    batch.names.push(name);
  }
  if (batch !== null) yield batch;
}
