import { mkdir, open, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isOurName } from '../../base/server/files/files.ts';
import { FILE_MODE, FOLDER_MODE, flushFolder, isMissing } from '../../base/server/files/local.ts';
import { MINUTE } from '../../base/time.ts';
import { type Manifest, manifest } from '../manifest.ts';
import { writeWhole } from './whole-file.ts';

/** So many earlier backups stay beside the newest: a mistake is often seen only some days later. */
const EARLIER = 7;
const MANIFEST = 'manifest.json';
/** Whoever is at work in the folder touches its mark once a minute. */
const MARK_EVERY_MS = MINUTE;
const MARK_DEAD_MS = 15 * MINUTE;

/** What a person can mend; told as it is, without a stack. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/**
 * The folder of backups:
 * `manifest.json` the newest; `earlier/<stamp>.json` those before it; `tables/<stamp>/<table>.jsonl` the rows of each;
 * `photos/<coupleId>/<fileName>` the photographs, which never change and are shared by all of them.
 */
export class BackupFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  path(file: string): string {
    return join(this.root, file);
  }

  photo(name: string): string {
    if (!isOurName(name)) throw new BackupError(`The backup names a photograph that is none: ${name}`);
    return join(this.root, 'photos', name);
  }

  /**
   * The manifest of a backup: of the newest, or of an earlier one by its stamp; null where there is none.
   * @throws BackupError where it can't be read
   */
  async manifest(stamp: string | null = null): Promise<Manifest | null> {
    const path =
      stamp === null ? this.path(MANIFEST) : this.path(join('earlier', `${stamp.replace(/[^\w-]/g, '')}.json`));
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    return parse(text, path);
  }

  /** Makes a backup the newest: from this moment it is there, and the one before it becomes an earlier one. */
  async publish(next: Manifest): Promise<void> {
    const before = await readFile(this.path(MANIFEST)).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (before !== null) {
      const { createdAt } = parse(before.toString(), this.path(MANIFEST));
      await writeWhole(this.path(join('earlier', `${stampOf(createdAt)}.json`)), () => [before]);
    }
    await writeWhole(this.path(MANIFEST), () => [Buffer.from(`${JSON.stringify(next, null, 2)}\n`)]);
    await flushFolder(this.root);
  }

  /** The stamps of the earlier backups, oldest first. */
  async earlier(): Promise<string[]> {
    return (await namesIn(this.path('earlier')))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -5))
      .sort();
  }

  /**
   * Lets go of the backups before the last seven, and of what no backup names any more. Nothing else in the folder is
   * touched.
   * @param photographsOf the names of a backup's photographs
   */
  async prune(photographsOf: (manifest: Manifest) => AsyncIterable<string>): Promise<void> {
    const stamps = await this.earlier();
    for (const stamp of stamps.slice(0, -EARLIER))
      await rm(this.path(join('earlier', `${stamp}.json`)), { force: true });
    const kept = [
      await this.manifest(),
      ...(await Promise.all(stamps.slice(-EARLIER).map((stamp) => this.manifest(stamp)))),
    ];
    const tables = new Set<string>();
    const photographs = new Set<string>();
    for (const one of kept) {
      if (one === null) continue;
      tables.add(stampOf(one.createdAt));
      for await (const name of photographsOf(one)) photographs.add(name);
    }
    for (const stamp of await namesIn(this.path('tables'))) {
      if (!tables.has(stamp) && isStamp(stamp))
        await rm(this.path(join('tables', stamp)), { recursive: true, force: true });
    }
    for (const couple of await namesIn(this.path('photos'))) {
      for (const file of await namesIn(this.path(join('photos', couple)))) {
        const name = `${couple}/${file.replace(/\.part$/, '')}`;
        const isOurs = isOurName(name) && (file.endsWith('.part') || !photographs.has(name));
        if (isOurs) await rm(this.path(join('photos', couple, file)), { force: true });
      }
    }
  }

  /**
   * Takes the folder in hand, so that two backups into it don't disturb each other.
   * @returns how to let it go
   * @throws BackupError where another is at work in it
   */
  async hold(): Promise<() => Promise<void>> {
    await mkdir(this.root, { recursive: true, mode: FOLDER_MODE });
    const mark = this.path('.at-work');
    if (await isDead(mark)) await rm(mark, { force: true });
    try {
      const file = await open(mark, 'wx', FILE_MODE);
      await file.write(JSON.stringify({ host: hostname(), pid: process.pid }));
      await file.close();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      throw new BackupError('Another backup into this folder is under way.');
    }
    const touch = setInterval(() => {
      const now = new Date();
      // At worst it looks dead to somebody after a quarter of an hour.
      utimes(mark, now, now).catch(() => undefined);
    }, MARK_EVERY_MS);
    touch.unref();
    return async () => {
      clearInterval(touch);
      await rm(mark, { force: true });
    };
  }
}

/** A backup's name, from when it was made: its instant without what a file name can't hold everywhere. */
export function stampOf(createdAt: string): string {
  return createdAt.replaceAll(/[:.]/g, '-');
}

function isStamp(name: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d-]+Z$/.test(name);
}

function parse(text: string, path: string): Manifest {
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    throw new BackupError(`${path} is not the manifest of a backup that this version can read.`);
  }
}

/** Whether whoever left the mark is gone: its process on this machine, or for long untouched on another. */
async function isDead(mark: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(mark);
    if (Date.now() - mtimeMs > MARK_DEAD_MS) return true;
    const { host, pid } = JSON.parse(await readFile(mark, 'utf8')) as { host: string; pid: number };
    return host === hostname() && pid !== process.pid && !isAlive(pid);
  } catch {
    // Gone meanwhile, or just being written.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
