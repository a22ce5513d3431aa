import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import { ExportPlaces } from './export-places.ts';
import { type Archive, zipOf } from './zip.ts';

const user = (name: string) => name as UserId;

/** An archive of which nobody reads more than it has ready. */
function endless(): Archive {
  const entries = async function* () {
    for (let index = 0; ; index += 1) yield { name: `${index}`, source: Buffer.alloc(100_000), date: 0, store: true };
  };
  return zipOf(entries(), () => undefined);
}

/** Waits until an archive has bytes for its reader. */
const untilReady = (archive: Archive) => vi.waitUntil(() => archive.readableLength > 0);

describe('the exports of a node', () => {
  let places: ExportPlaces;
  const archives: Archive[] = [];
  const run = (name: string) => {
    const archive = places.run(user(name), endless);
    archives.push(archive);
    return archive;
  };
  const refusalOf = (name: string) => {
    try {
      run(name);
      return null;
    } catch (error) {
      return error instanceof Refusal ? [error.status, error.retryAfter] : error;
    }
  };
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    places = new ExportPlaces();
  });
  afterEach(() => {
    for (const archive of archives.splice(0)) archive.destroy();
    vi.useRealTimers();
  });

  it('are one for each user, until it ends', { tags: ['keeping.export.6'] }, async () => {
    const archive = run('ada');
    expect(refusalOf('ada')).toEqual([409, undefined]);
    expect(refusalOf('ben')).toBeNull();
    const closed = new Promise((resolve) => archive.once('close', resolve));
    archive.destroy();
    await closed;
    expect(refusalOf('ada')).toBeNull();
  });

  it('are few, and one whose reader takes nothing gives way', { tags: ['keeping.export.6'] }, async () => {
    const all = ['a', 'b', 'c', 'd'].map(run);
    expect(refusalOf('e')).toEqual([503, 60]);
    await Promise.all(all.map(untilReady));
    vi.advanceTimersByTime(31_000);
    const [first, second, third] = all;
    // The others go on: their readers have taken a part.
    for (const archive of [first, third, all[3]]) {
      archive?.read();
      if (archive) await untilReady(archive);
    }
    expect(refusalOf('e')).toBeNull();
    expect(all.map(({ destroyed }) => destroyed)).toEqual([false, true, false, false]);
    expect(second?.destroyed).toBe(true);
  });

  it('give way to the same user, if the first one is not read', { tags: ['keeping.export.6'] }, async () => {
    const archive = run('ada');
    await untilReady(archive);
    vi.advanceTimersByTime(31_000);
    expect(refusalOf('ada')).toBeNull();
    expect(archive.destroyed).toBe(true);
  });
});
