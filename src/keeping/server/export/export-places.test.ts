import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UserId } from '../../../base/ids.ts';
import { Refusal } from '../../../base/refusal.ts';
import { ExportPlaces } from './export-places.ts';
import { zipOf } from './zip.ts';

const user = (name: string) => name as UserId;

/** An archive of which nobody reads more than it has ready. */
function endless(): Readable {
  const entries = async function* () {
    for (let index = 0; ; index += 1) yield { name: `${index}`, source: Buffer.alloc(100_000), date: 0, store: true };
  };
  return zipOf(entries(), () => undefined);
}

describe('the exports of a node', () => {
  let places: ExportPlaces;
  const archives: Readable[] = [];
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
    places = new ExportPlaces();
  });
  afterEach(() => {
    for (const archive of archives.splice(0)) archive.destroy();
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

  it('are few', { tags: ['keeping.export.6'] }, () => {
    for (const name of ['a', 'b', 'c', 'd']) run(name);
    expect(refusalOf('e')).toEqual([503, 60]);
  });
});
