import { access, constants, mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertStoredName, FileMissing, type Files, isStoredName, LABEL_NAME, StoreUnavailable } from './files.ts';
import { flushFile, flushFolder } from './flush.ts';
import { INCOMING_FOLDER, IncomingFolder, leftoversIn } from './incoming-folder.ts';
import { isAlreadyThere, isMissing, isUnreadable } from './missing-or-unreadable.ts';
import { FILE_MODE, FOLDER_MODE } from './private-files.ts';

/** The folder of the photographs in `DATA_DIR`. */
export const PHOTOS_FOLDER = 'photos';

/**
 * The folder for incoming files. It is in the store, because a file can only be renamed into place on the same disk, and
 * the store may be a mount or a link. No couple has an id with a dot.
 */
const INCOMING = '.incoming';

const READ_AHEAD = 256 * 1024;

/** Opens a photo store in a folder: `photos/<coupleId>/<fileName>` next to the database. */
export async function openDisk(dataDir: string): Promise<Files> {
  const root = join(dataDir, PHOTOS_FOLDER);
  await mkdir(root, { recursive: true, mode: FOLDER_MODE });
  const incoming = await IncomingFolder.open(join(root, INCOMING));
  await flushFolder(dataDir);

  const pathOf = (name: string) => {
    assertStoredName(name);
    return join(root, name);
  };
  const statsOf = (name: string) => orNull(stat(pathOf(name)));

  const write = async (path: string, bytes: Uint8Array | string) => {
    const temporary = incoming.temporary();
    try {
      await writeFile(temporary, bytes, { flag: 'wx', mode: FILE_MODE, flush: true });
      await moveIn(temporary, path, root);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  };

  return {
    put: async (name, localPath) => {
      const path = pathOf(name);
      await flushFile(localPath);
      return moveIn(localPath, path, root);
    },
    putBytes: (name, bytes) => write(pathOf(name), bytes),
    size: async (name) => (await statsOf(name))?.size ?? null,
    read: async (name, range) => {
      const file = await orNull(open(pathOf(name), 'r'));
      if (file === null) throw new FileMissing(name);
      return file.createReadStream({ ...range, highWaterMark: READ_AHEAD });
    },
    isFaultOfFile: async (error) => isUnreadable(error),
    withLocal: async (name, work) => {
      const path = pathOf(name);
      if ((await statsOf(name)) === null) throw new FileMissing(name);
      return work(path);
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    list: (coupleId) => namesIn(root, coupleId),
    readLabel: () => orNull(readFile(join(root, LABEL_NAME), 'utf8')),
    writeLabel: (text) => write(join(root, LABEL_NAME), text),
    temporary: () => incoming.temporary(),
    // Earlier versions put them into `DATA_DIR`.
    leftovers: async () => [...(await incoming.leftovers()), ...(await leftoversIn(join(dataDir, INCOMING_FOLDER)))],
    check: () => access(root, constants.R_OK | constants.W_OK),
    create: async () => undefined,
  };
}

/**
 * Moves a flushed file into place and flushes the folder, so that it survives a power cut. A store that is gone, such as
 * on a disk that was unplugged, is not created again: what is stored there would be missing once the disk is back.
 */
async function moveIn(flushed: string, path: string, root: string): Promise<string> {
  try {
    await rename(flushed, path);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // The couple has no folder before its first photo.
    await makeFolder(dirname(path), root);
    await rename(flushed, path);
  }
  await flushFolder(dirname(path));
  return path;
}

/** Creates a couple's folder and flushes its parent, the root of the store. @throws StoreUnavailable if the root is gone */
async function makeFolder(path: string, root: string): Promise<void> {
  try {
    if (path !== root) await mkdir(path, { mode: FOLDER_MODE });
  } catch (error) {
    if (isMissing(error)) throw new StoreUnavailable('The folder of the photographs is gone.', { cause: error });
    // Another photo of the couple has created it.
    if (!isAlreadyThere(error)) throw error;
  }
  await flushFolder(root);
}

async function* namesIn(root: string, only?: string): AsyncGenerator<string> {
  for await (const couple of await opendir(root)) {
    if (!couple.isDirectory() || (only !== undefined && couple.name !== only)) continue;
    for await (const file of await opendir(join(root, couple.name))) {
      const name = `${couple.name}/${file.name}`;
      if (file.isFile() && isStoredName(name)) yield name;
    }
  }
}

/** Resolves with null if the file doesn't exist. */
async function orNull<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
