import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Caller } from '../../../../tests/support/caller.ts';
import { openCompetingConnection } from '../../../../tests/support/competing-connection.ts';
import { describeOnBoth, onPostgresOnly, onSqliteOnly, sqliteAndDisk } from '../../../../tests/support/engines.ts';
import {
  type ExportedMemory,
  type ExportedStory,
  readStoryJson,
  sizeAndHash,
  unzip,
  zipTo,
} from '../../../../tests/support/export-archive.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import { makeHalfJpeg, makePixelBomb } from '../../../../tests/support/images.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { createSampleStory } from '../../../../tests/support/sample-story.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { canMount, openSmallDisk } from '../../../../tests/support/small-disk.ts';
import { startTcpProxy } from '../../../../tests/support/tcp-proxy.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createTestStorage, setS3Credentials, type TestStorage } from '../../../../tests/support/test-storage.ts';
import { DAY } from '../../../base/durations.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { formatInstant } from '../../../base/instants.ts';
import { migrateTo } from '../../../base/server/db/migrate.ts';
import { type OpenedDb, openWithoutMigrating } from '../../../base/server/db/open.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { openFiles } from '../../../base/server/files/open.ts';
import { readConfig } from '../../../base/server/process/config.ts';
import { findDate } from '../../../dates/server/visible-dates.ts';
import { allIdeas } from '../../../ideas/server/store.ts';
import { findOrphans } from '../../../memories/server/sweep/orphans.ts';
import { emptyTrash } from '../../../memories/server/sweep/sweep.ts';
import { scrubAll } from '../integrity/scrub.ts';
import { type Imported, type ImportTarget, importStory } from './import-story.ts';
import { sweepImports } from './imported-files.ts';

const DATE = '2030-01-01T00:00:00.000Z';

describeOnBoth('an import', (engine) => {
  let app: TestApp;
  let us: { ada: Partner; ben: Partner };
  let folder: string;
  let file: string;
  let files: Map<string, Buffer>;
  let storage: TestStorage;
  let found: OpenedDb;
  let target: ImportTarget & { files: Files };

  /** Downloads an export. */
  const download = async (who: Partner, path: string) => {
    const { url } = (await who.call('POST /api/export')).body;
    await writeFile(path, Buffer.from(await (await fetch(app.url + url)).arrayBuffer()));
    return unzip(path);
  };
  /** Returns the export with a changed story or changed files. */
  const forged = async (change: (told: ExportedStory, files: Map<string, Buffer>) => void) => {
    const changed = new Map(files);
    const told = readStoryJson(files);
    change(told, changed);
    changed.set('data/story.json', Buffer.from(JSON.stringify(told)));
    const path = join(folder, 'forged.zip');
    await zipTo(path, changed);
    return path;
  };
  /** Replaces the bytes of a photograph and updates the story. */
  const swap = (memory: ExportedMemory | undefined, all: Map<string, Buffer>, bytes: Buffer) => {
    if (!memory) throw new Error('No memory');
    all.set(memory.file ?? '', bytes);
    const { bytes: fileSizeBytes, sha256 } = sizeAndHash(bytes);
    Object.assign(memory, { fileSizeBytes, sha256 });
  };
  const assertNothingThere = async () => {
    expect(await found.db.read.selectFrom('couples').selectAll().execute()).toEqual([]);
    expect(await Array.fromAsync(target.files.list())).toEqual([]);
  };
  const refused = async (path: string, reason: RegExp, on: ImportTarget = target) => {
    await expect(importStory(on, path)).rejects.toThrow(reason);
    await assertNothingThere();
  };

  /** Opens an empty place for a story. `remove` closes and deletes it. */
  const emptyPlace = async () => {
    const place = await createTestStorage(engine);
    setS3Credentials(place);
    const config = readConfig(place.env);
    const { db, migrate } = openWithoutMigrating(config);
    await migrateTo(migrate, null);
    const remove = async () => {
      await db.close();
      await place.remove();
      setS3Credentials(storage);
    };
    return { db, files: await openFiles(config), now: Date.now, remove };
  };

  /** Imports what a partner exports into an empty place, and reads something there. */
  const readImported = async <T>(who: Partner, read: (db: OpenedDb['db']) => Promise<T>): Promise<T> => {
    const { url } = (await who.call('POST /api/export')).body;
    const path = join(folder, `${crypto.randomUUID()}.zip`);
    await writeFile(path, Buffer.from(await (await fetch(app.url + url)).arrayBuffer()));
    const place = await emptyPlace();
    await importStory(place, path);
    const found = await read(place.db);
    await place.remove();
    return found;
  };

  beforeAll(async () => {
    app = await startTestApp(engine);
    us = await registerCouple(app);
    await createSampleStory(us.ada, us.ben);
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-import-'));
    file = join(folder, 'export.zip');
    files = await download(us.ben, file);
    storage = await createTestStorage(engine);
    setS3Credentials(storage);
    const config = readConfig(storage.env);
    found = openWithoutMigrating(config);
    await migrateTo(found.migrate, null);
    target = { db: found.db, files: await openFiles(config), now: Date.now };
  });
  afterAll(async () => {
    await found.db.close();
    await storage.remove();
    await app.close();
    await rm(folder, { recursive: true });
  });

  onSqliteOnly(engine, () => {
    describe('refuses what is no story, before anything is written:', { tags: ['keeping.import.2'] }, () => {
      it.each<[string, (told: ExportedStory) => void, RegExp]>([
        ['an id', ({ couple }) => (couple.id = '../../etc'), /couple\.id: This is not an id/],
        ['no partner', (told) => (told.partners = []), /partners: Too small/],
        ['an empty e-mail', ({ partners: [ada] }) => ada && (ada.email = ' '), /partners\.0\.email: Email is required/],
        ['one partner twice', ({ partners: [ada, ben] }) => ada && ben && (ben.email = ada.email), /are the same/],
      ])('%s', async (_what, change, reason) => {
        await refused(await forged(change), reason);
      });
    });
  });

  /** Imports a forged export into a place of its own, and hands over what is there. */
  const importForged = async <T>(
    change: Parameters<typeof forged>[0],
    look: (imported: Imported, db: OpenedDb['db']) => Promise<T>,
  ): Promise<T> => {
    const place = await emptyPlace();
    try {
      const imported = await importStory(place, await forged(change));
      return await look(imported, place.db);
    } finally {
      await place.remove();
    }
  };

  it('takes every row that the app would refuse today, as far as it can be stored, and lists it', {
    tags: ['keeping.import.2', 'notes.8'],
  }, async () => {
    const far = '+010000-01-01T00:00:00.000Z';
    const long = 'x'.repeat(2_001);
    const change = (told: ExportedStory) => {
      const { couple, partners, dateIdeas, plannedDates, notes, leftNotes, memories } = told;
      const [ada] = partners;
      const [idea, other] = dateIdeas;
      const [date, lost] = plannedDates;
      const [memory] = memories;
      const [note] = notes;
      if (!ada || !idea || !other || !date || !lost || !memory || !note) throw new Error('The sample story has these');
      Object.assign(told, { exportedAt: 'yesterday' });
      couple.timeZone = 'Mars/Olympus_Mons';
      ada.email = 'nobody';
      Object.assign(idea, { title: long, category: 'Crime' });
      other.hearts = { mine: false, mutual: true };
      Object.assign(date, { notes: long, plannedDateTime: DATE });
      Object.assign(lost, { dateIdeaId: couple.id });
      Object.assign(memory, { caption: long, takenAt: far, thumbHash: 'no hash!', width: -1 });
      memories.push(memory, { ...memory, id: '../../etc' });
      Object.assign(note, { text: `\u0000${long}`, hearts: 6 });
      notes.push(note, { ...note, userId: couple.id });
      leftNotes.push({ plannedDateId: couple.id, text: 'Mine', hearts: null, writtenAt: DATE });
    };
    await importForged(change, async ({ story, notices, missing }, db) => {
      const original = readStoryJson(files);
      expect(missing).toEqual([]);
      const rows = async (table: 'ideas' | 'dates' | 'memories' | 'notes' | 'users' | 'couples') =>
        db.read.selectFrom(table).selectAll().execute();
      // The date without its idea has a new one.
      expect((await rows('ideas')).length).toBeGreaterThanOrEqual(original.dateIdeas.length + 1);
      for (const [table, count] of [
        ['dates', original.plannedDates.length],
        ['memories', original.memories.length],
        ['notes', original.notes.length],
      ] as const)
        expect(await rows(table)).toHaveLength(count);
      const [memory] = original.memories;
      const stored = (await rows('memories')).find(({ id }) => id === memory?.id);
      expect(stored).toMatchObject({ caption: long, takenAt: null });
      expect((await rows('couples'))[0]).toMatchObject({ timeZone: 'UTC' });
      expect(story.notes.map(({ text, hearts }) => [text, hearts])).toContainEqual([long, null]);
      const all = notices.join('\n');
      for (const words of [
        /exportedAt: This is not a time\. The time of the import is taken for it\./,
        /couple: timeZone: Time zone must be a valid time zone/,
        /partners\.0: email: Email is not an address/,
        /dateIdeas\.0: title: Title cannot exceed 200 characters, category:/,
        /Nobody is named whose heart it has/,
        /plannedDates\.0: notes: Notes cannot exceed 1000 characters/,
        /two years ahead|must be after/,
        /Its idea is missing\. It is imported with a new one/,
        /memories\.0: caption: Caption cannot exceed 500 characters, takenAt:/,
        /memories\.\d+: id: This is not an id, .*It is not imported/,
        /memories: .* occurs twice\. It is imported once/,
        /notes\.0: text: .*hearts:/,
        /Its writer is missing\. It is not imported/,
        /leftNotes of .*: Its date is missing\. It is not imported/,
      ])
        expect(all).toMatch(words);
    });
  });

  onSqliteOnly(engine, () => {
    describe('takes a photograph with the right hash as it is, and lists it, if an upload of it would be refused:', {
      tags: ['keeping.import.2'],
    }, () => {
      it.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
        ['a text', () => Buffer.from('<script>alert(1)</script>'), /Invalid file type.*imported as it is/],
        ['half a photograph', () => makeHalfJpeg(), /broken or incomplete.*imported as it is/],
        ['a bomb', () => makePixelBomb(), /Invalid file type|too many pixels|broken or incomplete/],
        ['one that is too large', () => Buffer.alloc(101 * 1024 * 1024), /fileSizeBytes:.*as far as it can be stored/],
      ])('%s', async (_what, make, reason) => {
        const bytes = await make();
        const change = ({ memories }: ExportedStory, all: Map<string, Buffer>) => swap(memories.at(-1), all, bytes);
        await importForged(change, async ({ story, notices, missing, changed }) => {
          expect([story.memories.length, missing, changed]).toEqual([readStoryJson(files).memories.length, [], []]);
          expect(story.memories.map(({ sha256 }) => sha256)).toContain(sizeAndHash(bytes).sha256);
          expect(notices.join('\n')).toMatch(reason);
        });
      });
    });
  });

  it('takes a photograph that has changed in the archive as damaged, and goes on without one that is not in it', {
    tags: ['keeping.import.2'],
  }, async () => {
    let flipped = Buffer.alloc(0);
    const change = ({ memories: [bit, gone, cut] }: ExportedStory, all: Map<string, Buffer>) => {
      flipped = Buffer.from(all.get(bit?.file ?? '') ?? '');
      flipped[flipped.length - 100] = (flipped[flipped.length - 100] ?? 0) ^ 4;
      all.set(bit?.file ?? '', flipped);
      all.delete(gone?.file ?? '');
      all.set(cut?.file ?? '', Buffer.from('short'));
    };
    const [bit, gone, cut] = readStoryJson(files).memories.map(({ id }) => id);
    await importForged(change, async ({ story, missing, changed }, db) => {
      expect(missing.map(({ memory, reason }) => [memory.id, reason])).toEqual([
        [gone, 'It is not in the archive.'],
        [cut, 'It has changed since it was exported.'],
      ]);
      expect(changed.map(({ memory, reason }) => [memory.id, reason])).toEqual([
        [bit, 'It has changed since it was exported.'],
      ]);
      expect(story.memories.map(({ id }) => id)).toEqual([bit]);
      expect(await db.read.selectFrom('damagedFiles').select('kind').execute()).toEqual([{ kind: 'changed' }]);
    });
  });

  onSqliteOnly(engine, () => {
    it.runIf(canMount)(
      'unpacks no more than the declared size (where root allows)',
      { tags: ['keeping.import.3'] },
      async () => {
        const disk = await openSmallDisk(4);
        const place = await emptyPlace();
        const small = { ...place.files, temporary: () => join(disk.folder, 'unpacked.part') };
        // The list of files declares a wrong size.
        const archivePath = readStoryJson(files).memories[0]?.file ?? '';
        const lying = await forged((told, all) => {
          all.set(archivePath, Buffer.alloc(64 * 1024 * 1024));
          told.memories.splice(1);
          Object.assign(told.memories[0] ?? {}, { fileSizeBytes: 1000 });
        });
        const bytes = await readFile(lying);
        bytes.writeUInt32LE(1000, bytes.lastIndexOf(archivePath) - 46 + 24);
        await writeFile(lying, bytes);
        const { missing } = await importStory({ ...place, files: small }, lying);
        expect(missing.map(({ reason }) => reason)).toEqual(['It can’t be unpacked.']);
        await place.remove();
        await disk.remove();
      },
    );

    it('refuses two files with one name, and a name that points outside the archive', async () => {
      const [first = ['', Buffer.alloc(0)] as const] = [...files].filter(([name]) => name.startsWith('photos/'));
      const path = join(folder, 'twice.zip');
      await zipTo(path, [...files, first]);
      await refused(path, /two files named photos\//);
      await zipTo(path, [...files, ['photos/aa/evil.jpg', first[1]]]);
      const bytes = await readFile(path);
      await writeFile(
        path,
        Buffer.from(bytes.toString('latin1').replaceAll('photos/aa/evil', 'photos/../evil'), 'latin1'),
      );
      await refused(path, /is damaged: invalid relative path/);
    });
  });

  it('restores of a surprise what its exporter may know: all of one’s own, only the time of the partner’s', {
    tags: ['secrets.surprises.9'],
  }, async () => {
    const other = await registerCouple(app);
    const parts = { idea: { title: 'The lido' }, location: 'At dusk', surprise: true };
    const { id } = await planDate(other.ada, parts);
    const importedBy = (who: Partner) =>
      readImported(who, async (db) => {
        const coupleId = other.ada.user.couple.id as CoupleId;
        const seen = [other.ada, other.ben].map(async ({ user }) => {
          const date = await findDate(db.read, { coupleId, userId: user.id as UserId }, id, Date.now());
          return [date?.title, date?.location, date?.surprise];
        });
        const ideas = (await allIdeas(db.read, coupleId)).map(({ title }) => title);
        return { dates: await Promise.all(seen), ideas };
      });
    const [mine, theirs] = [
      { mine: true, revealed: false },
      { mine: false, revealed: false },
    ];
    expect(await importedBy(other.ada)).toEqual({
      dates: [
        ['The lido', 'At dusk', mine],
        ['A surprise', null, theirs],
      ],
      ideas: ['The lido'],
    });
    expect(await importedBy(other.ben)).toEqual({
      dates: [
        ['A surprise', null, mine],
        ['A surprise', null, theirs],
      ],
      ideas: ['The lido'],
    });
  });

  it('restores on which dates its exporter does not look back, and nothing of the other partner', {
    tags: ['dates.lookback.1'],
  }, async () => {
    const other = await registerCouple(app);
    const users = [other.ada, other.ben];
    const dates = [await planDate(other.ada), await planDate(other.ada), await planDate(other.ada)];
    for (const [n, who] of users.entries()) {
      const params = { id: dates[n]?.id ?? '' };
      await who.call('PUT /api/PlannedDates/{id}/look-back', { params, body: { shown: false } });
    }
    const leftOutOf = (who: Partner) =>
      readImported(who, (db) =>
        Promise.all(
          users.map(async ({ user }) => {
            const viewer = { coupleId: user.couple.id as CoupleId, userId: user.id as UserId };
            const seen = await Promise.all(dates.map(({ id }) => findDate(db.read, viewer, id, Date.now())));
            return seen.map((date) => date?.lookBack);
          }),
        ),
      );
    const all = [true, true, true];
    expect(await leftOutOf(other.ada)).toEqual([[false, true, true], all]);
    expect(await leftOutOf(other.ben)).toEqual([all, [true, false, true]]);
  });

  it('leaves what was in the trash of an old export there for another thirty days', {
    tags: ['durability.store.7'],
  }, async () => {
    const place = await emptyPlace();
    const old = await forged(({ memories }) => {
      for (const memory of memories)
        if (memory.deletedAt !== null) memory.deletedAt = formatInstant(Date.now() - 40 * DAY);
    });
    const deps = { ...(await depsOf(app)), db: place.db, files: place.files };
    const trash = () => place.db.read.selectFrom('memories').select('id').where('deletedAt', 'is not', null).execute();
    await importStory(deps, old);
    await emptyTrash({ ...deps, now: () => Date.now() + 29 * DAY });
    expect(await trash()).toHaveLength(1);
    await emptyTrash({ ...deps, now: () => Date.now() + 31 * DAY });
    expect(await trash()).toEqual([]);
    await place.remove();
  });

  onSqliteOnly(engine, () => {
    it('replaces names, titles and notes of invisible characters alone, which older versions accepted', {
      tags: ['keeping.import.2'],
    }, async () => {
      const place = await emptyPlace();
      const blank = '\u2060\u200b';
      const old = await forged(({ partners: [partner], dateIdeas: [idea], plannedDates: [date], notes: [note] }) => {
        if (!partner || !idea || !date || !note) throw new Error('The sample story has one of each.');
        partner.displayName = idea.title = note.text = blank;
        date.notes = blank;
      });
      const { story } = await importStory(place, old);
      const { partners, dateIdeas, plannedDates, notes } = story;
      expect([partners[0]?.displayName, dateIdeas[0]?.title, notes[0]?.text]).toEqual(['…', '…', '…']);
      expect(plannedDates[0]?.notes).toBeNull();
      expect(
        (await place.db.read.selectFrom('users').select('displayName').execute()).map((one) => one.displayName),
      ).toContain('…');
      await place.remove();
    });
  });

  it('keeps what a killed import stored, even if the sweep is about to delete it', {
    tags: ['keeping.import.4'],
  }, async () => {
    const place = await emptyPlace();
    let ahead = 0;
    const now = () => Date.now() + ahead;
    const { db } = place;
    const deps = { ...(await depsOf(app, now)), db, files: place.files };
    const { couple, memories } = readStoryJson(files);
    const [first] = memories;
    const stored = `${couple.id}/${first?.fileName}`;
    await deps.files.putBytes(stored, files.get(first?.file ?? '') ?? Buffer.alloc(0), 'image/jpeg');
    const killed = { coupleId: couple.id as CoupleId, fileName: first?.fileName ?? '', createdAt: now() };
    await db.write((tx) => tx.insertInto('importedFiles').values(killed).execute());
    ahead = 31 * DAY;
    const put: Files['put'] = async (...parts) => {
      expect(await Array.fromAsync(findOrphans(deps))).toEqual([]);
      const path = await deps.files.put(...parts);
      await sweepImports(deps, () => true);
      expect(await Array.fromAsync(findOrphans(deps))).toEqual([]);
      return path;
    };
    await importStory({ db, files: { ...deps.files, put }, now }, file);
    expect(await Array.fromAsync(deps.files.list())).toHaveLength(memories.length);
    expect(await deps.files.size(stored)).not.toBeNull();
    expect(await db.read.selectFrom('importedFiles').selectAll().execute()).toEqual([]);
    await place.remove();
  });

  it('that was killed leaves nothing once a week has passed', { tags: ['keeping.import.4'] }, async () => {
    let ahead = 0;
    const deps = { ...(await depsOf(app, () => Date.now() + ahead)), db: target.db, files: target.files };
    const { couple, memories } = readStoryJson(files);
    const killed = { coupleId: couple.id as CoupleId, fileName: memories[0]?.fileName ?? '', createdAt: Date.now() };
    await target.db.write((tx) => tx.insertInto('importedFiles').values(killed).execute());
    await target.files.putBytes(`${couple.id}/${killed.fileName}`, Buffer.from('x'), 'image/jpeg');
    await sweepImports(deps, () => true);
    expect(await Array.fromAsync(target.files.list())).toHaveLength(1);
    ahead = 7 * DAY + 1000;
    await sweepImports(deps, () => true);
    expect(await Array.fromAsync(target.files.list())).toEqual([]);
    expect(await target.db.read.selectFrom('importedFiles').selectAll().execute()).toEqual([]);
  });

  it('that was killed leaves nothing, even behind many photographs that cannot be removed', {
    tags: ['keeping.import.4'],
  }, async () => {
    const [stuck, other] = ['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff'];
    const remove: Files['remove'] = async (name) => {
      if (name.startsWith(stuck)) throw new Error('the file cannot be removed');
      await target.files.remove(name);
    };
    const deps = { ...(await depsOf(app)), db: target.db, files: { ...target.files, remove } };
    const rows = Array.from({ length: 500 }, (_, at) => ({ coupleId: stuck as CoupleId, fileName: `${at}.jpg` }));
    const last = { coupleId: other as CoupleId, fileName: 'last.jpg' };
    const killed = [...rows, last].map((row) => ({ ...row, createdAt: Date.now() - 8 * DAY }));
    await target.db.write((tx) => tx.insertInto('importedFiles').values(killed).execute());
    await sweepImports(deps, () => true);
    const left = await target.db.read.selectFrom('importedFiles').select('coupleId').execute();
    expect(new Set(left.map(({ coupleId }) => coupleId))).toEqual(new Set([stuck]));
    expect(left).toHaveLength(rows.length);
    await target.db.write((tx) => tx.deleteFrom('importedFiles').execute());
  });

  it('that is interrupted removes what it stored', { tags: ['keeping.import.3'] }, async () => {
    let asked = 0;
    const isStopped = () => {
      asked += 1;
      return asked > 2;
    };
    await refused(file, /interrupted/, { ...target, isStopped });
    let puts = 0;
    const full: Files = {
      ...target.files,
      put: (...parts) => {
        puts += 1;
        return puts > 1 ? Promise.reject(new Error('the disk is full')) : target.files.put(...parts);
      },
    };
    await refused(file, /the disk is full/, { ...target, files: full });
  });

  onPostgresOnly(engine, () => {
    it('whose COMMIT is answered too late keeps its photographs, and is complete', {
      tags: ['durability.stored.9'],
    }, async () => {
      const place = await createTestStorage(engine);
      setS3Credentials(place);
      const config = readConfig(place.env);
      const direct = openWithoutMigrating(config);
      await migrateTo(direct.migrate, null);
      const competitor = await openCompetingConnection(place);
      const proxy = await startTcpProxy(place.env.DATABASE_URL ?? '');
      const distant = openWithoutMigrating(readConfig({ ...place.env, DATABASE_URL: proxy.url }));
      const there = { db: distant.db, files: await openFiles(config), now: Date.now };
      await competitor.holdCommits('users');
      const outcome = importStory(there, file).then(() => 'imported', String);
      await competitor.waitUntilBlocked();
      // Cuts the connections without refusing new ones.
      proxy.silence();
      await proxy.mend();
      expect(await outcome).toMatch(/may be complete/);
      await competitor.releaseCommits();
      await expect.poll(() => direct.db.read.selectFrom('users').select('id').execute()).toHaveLength(2);
      const memories = await direct.db.read.selectFrom('memories').select(['coupleId', 'fileName']).execute();
      expect(memories).toHaveLength(readStoryJson(files).memories.length);
      const stored = await Array.fromAsync(there.files.list());
      expect(stored.toSorted()).toEqual(memories.map((one) => `${one.coupleId}/${one.fileName}`).toSorted());
      await expect(importStory(there, file)).rejects.toThrow('This story is already here.');
      await Promise.all([distant.db.close(), direct.db.close(), competitor.close()]);
      await proxy.close();
      await place.remove();
      setS3Credentials(storage);
    });
  });

  it('imports a changed photograph as it is, and says so', { tags: ['keeping.export.5'] }, async () => {
    setS3Credentials(app.storage);
    const deps = await depsOf(app);
    const { ada, ben } = await registerCouple(app);
    const { id } = await planDate(ada);
    const [bit, cut] = [await addPhoto(ada, id, 31, 'one bit'), await addPhoto(ben, id, 32, 'cut off')];
    const nameOf = (fileName: string) => `${ada.user.couple.id}/${fileName}`;
    const bytesOf = async (store: Files, { fileName }: { fileName: string }) =>
      Buffer.concat(await Array.fromAsync(await store.read(nameOf(fileName))));
    const flipped = await bytesOf(deps.files, bit);
    flipped[flipped.length - 100] = (flipped[flipped.length - 100] ?? 0) ^ 4;
    const half = (await bytesOf(deps.files, cut)).subarray(0, 300);
    const damaged = [
      { ...bit, bytes: flipped },
      { ...cut, bytes: half },
    ];
    const ids = damaged.map((memory) => memory.id).toSorted();
    for (const { fileName, bytes } of damaged) await deps.files.putBytes(nameOf(fileName), bytes, 'image/jpeg');
    await scrubAll(deps, () => undefined);
    const { scrub } = (await ada.call('GET /api/keeping')).body;
    expect(scrub.damaged.map((memory) => memory.id).toSorted()).toEqual(ids);

    const path = join(folder, 'damaged.zip');
    const archive = await download(ben, path);
    const told = new Map(readStoryJson(archive).memories.map((memory) => [memory.id, memory]));
    const place = await emptyPlace();
    const { missing, changed } = await importStory(place, path);
    expect([missing, changed.map(({ memory }) => memory.id).toSorted()]).toEqual([[], ids]);
    for (const memory of damaged) {
      const exported = told.get(memory.id);
      expect(exported?.changed).toEqual(sizeAndHash(memory.bytes));
      expect(archive.get(exported?.file ?? '')).toEqual(memory.bytes);
      expect(await bytesOf(place.files, memory)).toEqual(memory.bytes);
    }
    const marked = await place.db.read.selectFrom('damagedFiles').select('fileName').execute();
    expect(marked.map(({ fileName }) => fileName).toSorted()).toEqual([bit.fileName, cut.fileName].toSorted());
    await place.remove();
  });

  it('that runs beside another one succeeds alone, and is not undone by it', {
    tags: ['keeping.import.3'],
  }, async () => {
    const place = await emptyPlace();
    const both = await Promise.allSettled([importStory(place, file), importStory(place, file)]);
    const [done] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const reasons = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(reasons).toEqual([expect.stringMatching(/Another import is running|already here/)]);
    expect(done?.missing).toEqual([]);
    const names = (await place.db.read.selectFrom('memories').select(['coupleId', 'fileName']).execute()).map(
      ({ coupleId, fileName }) => `${coupleId}/${fileName}`,
    );
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect(await place.files.size(name)).not.toBeNull();
    await place.remove();
  });

  it('brings one’s own hearts and the mutual ones, which are not celebrated again', {
    tags: ['ideas.hearts.11'],
  }, async () => {
    const { ada, ben } = await registerCouple(app);
    await createSampleStory(ada, ben);
    const { hearts, celebrated } = await readImported(ben, async (db) => ({
      hearts: await db.read.selectFrom('hearts').select('userId').execute(),
      celebrated: await db.read.selectFrom('celebrations').select(['userId', 'milestone']).execute(),
    }));
    const [adaId, benId] = [ada.user.id, ben.user.id];
    expect(hearts.map(({ userId }) => userId).toSorted()).toEqual([adaId, benId, benId].toSorted());
    expect(celebrated.map(({ userId }) => userId).toSorted()).toEqual([adaId, benId].toSorted());
    for (const { milestone } of celebrated) expect(milestone).toMatch(/^mutual\//);
  });
});

it('an import that was killed can be started again', { tags: ['keeping.import.3'] }, async () => {
  const app = await startTestApp(sqliteAndDisk);
  const { ada, ben } = await registerCouple(app);
  await createSampleStory(ada, ben);
  const folder = await mkdtemp(join(tmpdir(), 'our-love-story-import-'));
  const file = join(folder, 'export.zip');
  const { url } = (await new Caller(app.url, ada.token).call('POST /api/export')).body;
  await writeFile(file, Buffer.from(await (await fetch(app.url + url)).arrayBuffer()));
  const storage = await createTestStorage(sqliteAndDisk);
  const config = readConfig(storage.env);
  const found = openWithoutMigrating(config);
  await migrateTo(found.migrate, null);
  let ahead = 0;
  let isDead = false;
  const target = { db: found.db, files: await openFiles(config), now: () => Date.now() + ahead };
  const dead = () => Promise.reject(new Error('the process is dead'));
  const dying: ImportTarget = {
    ...target,
    db: { ...target.db, write: (work) => (isDead ? dead() : target.db.write(work)) },
    files: {
      ...target.files,
      put: async (...parts) => {
        if (isDead) return dead();
        isDead = true;
        return target.files.put(...parts);
      },
      remove: dead,
    },
  };
  await expect(importStory(dying, file)).rejects.toThrow('the process is dead');
  expect(await Array.fromAsync(target.files.list())).toHaveLength(1);
  await expect(importStory(target, file)).rejects.toThrow('try again in two minutes');
  ahead += 121_000;
  expect((await importStory(target, file)).story.memories).toHaveLength(3);
  expect(await Array.fromAsync(target.files.list())).toHaveLength(3);
  await found.db.close();
  await storage.remove();
  await app.close();
  await rm(folder, { recursive: true });
});
