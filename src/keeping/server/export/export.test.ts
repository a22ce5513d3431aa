import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { badSector } from '../../../../tests/support/bad-sector.ts';
import { Caller } from '../../../../tests/support/caller.ts';
import { describeOnBoth, onSqliteOnly } from '../../../../tests/support/engines.ts';
import { readStoryJson, sizeAndHash, unzip, zipTo } from '../../../../tests/support/export-archive.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../../../../tests/support/factories.ts';
import type { Partner } from '../../../../tests/support/partner.ts';
import { readWholeStory, withoutTrashTimes } from '../../../../tests/support/read-whole-story.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { commandEnv, commandPath, runCommand } from '../../../../tests/support/run-command.ts';
import { createSampleStory } from '../../../../tests/support/sample-story.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createTestStorage, setS3Credentials, type TestStorage } from '../../../../tests/support/test-storage.ts';
import type { CoupleId, UserId } from '../../../base/ids.ts';
import { migrateTo } from '../../../base/server/db/migrate.ts';
import { openWithoutMigrating } from '../../../base/server/db/open.ts';
import type { Files } from '../../../base/server/files/files.ts';
import { openFiles } from '../../../base/server/files/open.ts';
import { readConfig } from '../../../base/server/process/config.ts';
import type { Size } from '../../../memories/rules.ts';
import { storedName } from '../../../memories/server/stored-names.ts';
import type { StoryMemory } from '../../story.ts';
import { importStory } from '../import/import-story.ts';
import { exportEntries } from './export-entries.ts';
import { zipOf } from './zip.ts';

async function run(...command: Parameters<typeof runCommand>): Promise<string> {
  const { code, out, err } = await runCommand(...command);
  return `${code}: ${out}${err}`;
}

describeOnBoth('an export', (engine) => {
  let app: TestApp;
  let us: { ada: Partner; ben: Partner };
  let folder: string;
  let file: string;
  let dateId: string;
  let files: Map<string, Buffer>;
  const storages: TestStorage[] = [];
  const linkOf = async (who: Partner) => (await who.call('POST /api/export')).body;
  const download = async (who = us.ben, to = file) => {
    const response = await fetch(app.url + (await linkOf(who)).url);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="our-love-story-[\d-]+\.zip"/);
    await writeFile(to, Buffer.from(await response.arrayBuffer()));
    return unzip(to);
  };
  const story = (of = files) =>
    JSON.parse((of.get('data/story.json') ?? Buffer.alloc(0)).toString()) as {
      memories: Pick<StoryMemory, 'id' | 'file' | 'sha256' | 'changed'>[];
    };
  const hashOf = (file: string | null | undefined, of = files) =>
    sizeAndHash(of.get(file ?? '') ?? Buffer.alloc(0)).sha256;

  beforeAll(async () => {
    app = await startTestApp(engine);
    us = await registerCouple(app);
    dateId = await createSampleStory(us.ada, us.ben);
    // Duplicate names, and names that no file system accepts.
    const twin = await planDate(us.ada, { idea: { title: 'CON: a "night" / out?' } });
    await addPhoto(us.ada, twin.id, 1, '=HYPERLINK("http://evil.example")');
    await addPhoto(us.ben, dateId, 7, '<script>alert(1)</script>');
    const { ada: eve } = await registerCouple(app);
    await addPhoto(
      eve,
      (await planDate(eve, { idea: { title: 'Nobody else should know' } })).id,
      9,
      'Nobody else should know',
    );
    folder = await mkdtemp(join(tmpdir(), 'our-love-story-export-'));
    file = join(folder, 'export.zip');
    files = await download();
  });
  afterAll(async () => {
    await app.close();
    for (const storage of storages) await storage.remove();
    await rm(folder, { recursive: true });
  });

  it('holds every original byte for byte, each under its own name', { tags: ['keeping.export.1'] }, () => {
    const { memories } = story();
    expect(memories).toHaveLength(5);
    for (const { file, sha256 } of memories) expect(hashOf(file)).toBe(sha256);
    const originals = [...files.keys()].filter((name) => name.startsWith('photos/'));
    expect(originals).toHaveLength(5);
    expect(originals.join('\n')).toMatch(/photos\/\d{4}-\d\d-\d\d Sternschnuppen & ☕\/photo-1\.jpg/);
    expect(originals.join('\n')).toMatch(/photos\/\d{4}-\d\d-\d\d _?CON a night out\/photo-1\.jpg/);
    for (const name of files.keys()) expect(name).not.toMatch(/[<>:"\\|?*]|\.\./);
  });

  it('holds one’s own notes, and the other’s once both are open', { tags: ['notes.8'] }, async () => {
    const { ada, ben } = await registerCouple(app);
    const write = async (who: Partner, id: string, text: string) =>
      who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id }, body: { text, hearts: 4 } });
    const [open, sealed] = [1, 2].map((day) => completeDate(ada, { at: Date.now() - day * 86_400_000, minutes: 9 }));
    const ids = { open: (await open)?.id ?? '', sealed: (await sealed)?.id ?? '' };
    await write(ada, ids.open, 'Hers, open');
    await write(ben, ids.open, 'His, open');
    await write(ada, ids.sealed, 'Hers, <sealed>');
    const told = async (who: Partner) => {
      const path = join(folder, 'notes.zip');
      await writeFile(path, Buffer.from(await (await fetch(app.url + (await linkOf(who)).url)).arrayBuffer()));
      const all = await unzip(path);
      const written = JSON.parse((all.get('data/story.json') ?? '').toString()) as { notes: { text: string }[] };
      const texts = ['Hers, open', 'His, open', 'Hers, <sealed>'];
      const csv = (all.get('data/notes.csv') ?? '').toString();
      const album = (all.get('album.html') ?? '').toString().replaceAll('&lt;', '<').replaceAll('&gt;', '>');
      return {
        story: written.notes.map(({ text }) => text).toSorted(),
        csv: texts.filter((text) => csv.includes(text)).toSorted(),
        album: texts.filter((text) => album.includes(text)).toSorted(),
      };
    };
    const both = ['Hers, open', 'His, open'];
    const hers = ['Hers, <sealed>', ...both];
    expect(await told(ada)).toEqual({ story: hers, csv: hers, album: hers });
    expect(await told(ben)).toEqual({ story: both, csv: both, album: both });
  });

  it('holds no secrets, and no data of other couples', { tags: ['keeping.export.1'] }, async () => {
    const texts = [...files]
      .filter(([name]) => /\.(json|csv|html|txt)$/.test(name))
      .map(([, bytes]) => bytes.toString());
    const all = texts.join('\n');
    const users = await app.db.read.selectFrom('users').selectAll().execute();
    const sessions = await app.db.read.selectFrom('sessions').selectAll().execute();
    const secrets = [...users.map((user) => user.passwordHash), ...sessions.map((session) => session.tokenHash)];
    for (const secret of [...secrets, us.ada.token ?? '', us.ada.password, 'argon2', 'Nobody else']) {
      expect(all).not.toContain(secret);
    }
    expect(all).toContain('you, asleep');
  });

  it('holds one’s own hearts and the mutual ones, and nothing of a heart that is not returned', {
    tags: ['ideas.hearts.11'],
  }, async () => {
    const { ada, ben } = await registerCouple(app);
    const heart = (who: Partner, { id }: { id: string }) =>
      who.call('PUT /api/DateIdeas/{id}/heart', { params: { id } });
    const both = await addIdea(ada, { title: 'Both' });
    await heart(ada, both);
    await heart(ben, both);
    await heart(ada, await addIdea(ada, { title: 'Hers' }));
    await heart(ben, await addIdea(ada, { title: 'His' }));
    const hearts = async (who: Partner) => {
      const all = await download(who, join(folder, 'hearts.zip'));
      const told = JSON.parse((all.get('data/story.json') ?? '').toString()) as {
        exportedBy: string;
        dateIdeas: { title: string; hearts: unknown }[];
      };
      expect(told.exportedBy).toBe(who.user.id);
      const rows = (all.get('data/date-ideas.csv') ?? '').toString().trimEnd().split('\r\n').slice(1);
      return {
        story: Object.fromEntries(told.dateIdeas.map((idea) => [idea.title, idea.hearts])),
        csv: Object.fromEntries(rows.map((row) => [row.split(',').at(0) ?? '', row.split(',').at(-1) ?? ''])),
        marks: [...(all.get('album.html') ?? '').toString().matchAll(/We both want this/g)].length,
      };
    };
    const [none, mine, mutual] = [
      { mine: false, mutual: false },
      { mine: true, mutual: false },
      { mine: true, mutual: true },
    ];
    expect(await hearts(ada)).toEqual({
      story: { Both: mutual, Hers: mine, His: none },
      csv: { Both: 'both', Hers: 'mine', His: '' },
      marks: 1,
    });
    expect(await hearts(ben)).toEqual({
      story: { Both: mutual, Hers: none, His: mine },
      csv: { Both: 'both', Hers: '', His: 'mine' },
      marks: 1,
    });
  });

  it('has tables that no spreadsheet reads as formulas', () => {
    const csv = (files.get('data/memories.csv') ?? '').toString();
    expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    expect(csv).not.toMatch(/(^|,)"?[=@]/m);
    expect((files.get('data/planned-dates.csv') ?? '').toString()).toContain('Sternschnuppen & ☕');
    expect((files.get('data/date-ideas.csv') ?? '').toString()).toContain(
      '"line one\nline two\u2028line three\u2029line four"',
    );
  });

  it('has an album with links, and with dates and times as its exporter reads them', {
    tags: ['screens.links.3', 'screens.words.5'],
  }, async () => {
    const { ada } = await registerCouple(app);
    await ada.call('PUT /api/auth/profile', { body: { formats: 'international' } });
    const [safe, bad] = ['https://example.org/menu?a=1&b="2"', 'javascript:alert(1)'];
    await completeDate(ada, { at: '2024-03-05T15:30:00Z', minutes: 60, location: bad, notes: `See ${safe}.` });
    const path = join(folder, 'links.zip');
    await writeFile(path, Buffer.from(await (await fetch(app.url + (await linkOf(ada)).url)).arrayBuffer()));
    const html = ((await unzip(path)).get('album.html') ?? '').toString();
    expect(html).toContain('Tuesday, 5 March 2024');
    expect(html).toContain('15:30');
    expect(html).toContain('<a href="https://example.org/menu?a=1&amp;b=" rel="noopener" dir="ltr">');
    expect(html).not.toContain('href="javascript');
    expect(html).toContain('<li>javascript:alert(1)</li>');
  });

  it('has an album that escapes the texts of the couple', () => {
    const html = (files.get('album.html') ?? '').toString();
    expect(html).toContain('Sternschnuppen &amp; ☕');
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toMatch(/<script|(src|href)="(\w+:|\/\/)/i);
    expect(html).not.toContain('in the trash');
    for (const [, src = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(files.has(decodeURIComponent(src.replaceAll('&amp;', '&')))).toBe(true);
    }
  });

  it('is the only one of its user, until it is downloaded or aborted', { tags: ['keeping.export.6'] }, async () => {
    const { ada, ben } = await registerCouple(app);
    const memory = await addPhoto(ada, (await planDate(ada)).id, 3);
    // More than the connection takes before its reader reads.
    const { files } = await depsOf(app);
    await files.putBytes(`${ada.user.couple.id}/${memory.fileName}`, Buffer.alloc(32 * 1024 * 1024), 'image/jpeg');
    const unread = await fetch(app.url + (await linkOf(ada)).url);
    const ask = async (who: Partner) => (await who.call('POST /api/export')).status;
    expect([await ask(ada), await ask(ben)]).toEqual([409, 201]);
    await unread.body?.cancel();
    await expect.poll(() => ask(ada)).toBe(201);
  });

  describe('the download path', () => {
    it('works once', { tags: ['keeping.export.3'] }, async () => {
      const { url } = await linkOf(us.ada);
      const first = await fetch(app.url + url, { method: 'HEAD' });
      expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/zip']);
      const second = await fetch(app.url + url);
      expect(second.status).toBe(200);
      await second.arrayBuffer();
      expect((await fetch(app.url + url)).status).toBe(404);
    });

    it('ends when its maker signs out a device', { tags: ['keeping.export.3'] }, async () => {
      const home = await startTestApp(engine);
      const { ada } = await registerCouple(home);
      const { url } = await linkOf(ada);
      expect((await fetch(home.url + url, { method: 'HEAD' })).status).toBe(200);
      expect((await ada.call('POST /api/auth/logout')).status).toBe(204);
      expect((await fetch(home.url + url)).status).toBe(404);
      await home.close();
    });

    it('works for a minute, and is stored as a hash', { tags: ['keeping.export.3'] }, async () => {
      let ahead = 0;
      const later = await startTestApp(engine, { storage: app.storage, now: () => Date.now() + ahead });
      const { url, expiresAt } = await linkOf(us.ada);
      expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
      expect(JSON.stringify(await app.db.read.selectFrom('codes').selectAll().execute())).not.toContain(
        url.slice('/api/export/'.length),
      );
      ahead = 61_000;
      expect((await fetch(later.url + url)).status).toBe(404);
      await later.close();
    });

    onSqliteOnly(engine, () => {
      it('works after failed attempts to sign in at the same address', { tags: ['keeping.export.4'] }, async () => {
        const home = await startTestApp(engine);
        const { ada } = await registerCouple(home);
        const body = { email: ada.email, password: 'a wrong one' };
        const login = () => new Caller(home.url).call('POST /api/auth/login', { body });
        await expect.poll(async () => (await login()).status).toBe(429);
        const { url } = await linkOf(ada);
        expect((await fetch(home.url + url, { method: 'HEAD' })).status).toBe(200);
        await home.close();
      });

      it('is only for a signed-in partner', async () => {
        expect((await new Caller(app.url).call('POST /api/export')).status).toBe(401);
      });
    });
  });

  describe('can be imported', () => {
    let storage: TestStorage;
    // The engine may have to start first, which takes longer than a test's timeout.
    beforeAll(async () => {
      storage = await createTestStorage(engine);
      storages.push(storage);
    });

    it('completely, also past its quota, and its partners set a password', {
      tags: ['keeping.import.1', 'notes.8', 'uploads.quota.3'],
    }, async () => {
      const before = await readWholeStory(app.url, us.ada);
      const said = await run('import', { ...storage.env, PORT: '3210', QUOTA: '1KB' }, [file]);
      expect(said).toMatch(/The quota of the couple \S+ is passed: \d+\.\d KB of 1\.0 KB\.\n/);
      expect(said).toMatch(/^0: Imported 4 ideas, 4 dates and 5 memories\./);
      const codes = [...said.matchAll(/http:\/\/127\.0\.0\.1:3210\/auth\/recover\/(\S+)/g)].map(
        ([, code = '']) => code,
      );
      expect(codes).toHaveLength(2);
      setS3Credentials(storage);
      const other = await startTestApp(engine, { storage });
      for (const code of codes) {
        const body = { newPassword: us.ada.password };
        expect(
          (await new Caller(other.url).call('POST /api/auth/recovery/{code}', { params: { code }, body })).status,
        ).toBe(204);
      }
      expect(withoutTrashTimes(await readWholeStory(other.url, us.ada))).toEqual(withoutTrashTimes(before));
      expect(await run('import', storage.env, [file])).toBe('1: This story is already here.\n');
      await other.close();
      setS3Credentials(app.storage);
    });
  });

  onSqliteOnly(engine, () => {
    it('is imported without its words controlling the terminal, or forging a line of the command', {
      tags: ['keeping.import.5'],
    }, async () => {
      const storage = await createTestStorage(engine);
      storages.push(storage);
      const forged = join(folder, 'forged.zip');
      const told = readStoryJson(files);
      const {
        partners: [partner],
        memories: [memory],
      } = told;
      Object.assign(memory ?? {}, { file: 'photos/\u001b[8m\nAll is well', caption: 'Our\nnight' });
      Object.assign(partner ?? {}, { displayName: 'Ada\n\u009b8mLink: \u202ehttps' });
      await zipTo(forged, new Map([...files, ['data/story.json', Buffer.from(JSON.stringify(told))]]));
      const said = await run('import', storage.env, [forged]);
      expect(said).toContain('\nPassword link for Ada 8mLink:  https, valid for');
      expect(said).toContain('\nPhotograph ‘Our night’ was not imported: It is not in the archive.\n');
    });

    it('prints the links for passwords also if nobody reads the standard output', {
      tags: ['running.commands.3'],
    }, async () => {
      const storage = await createTestStorage(engine);
      storages.push(storage);
      const child = spawn(process.execPath, [commandPath('import'), file], { env: commandEnv(storage.env) });
      child.stdout.destroy();
      const said = await text(child.stderr);
      expect(said).toMatch(/^Imported 4 ideas.*\n(Password link for .*\n){2}$/);
      if (child.exitCode === null) await once(child, 'exit');
      expect(child.exitCode).toBe(0);
    });
  });

  it('is not imported while the files of the same space are still being deleted', {
    tags: ['accounts.leaving.4'],
  }, async () => {
    const storage = await createTestStorage(engine);
    storages.push(storage);
    const found = openWithoutMigrating(readConfig(storage.env));
    await migrateTo(found.migrate, null);
    const target = { db: found.db, files: await openFiles(readConfig(storage.env)), now: Date.now };
    const coupleId = us.ada.user.couple.id as CoupleId;
    await found.db.write((tx) => tx.insertInto('erasures').values({ coupleId, createdAt: 1 }).execute());
    await expect(importStory(target, file)).rejects.toThrow('still being deleted');
    expect(await Array.fromAsync(target.files.list())).toEqual([]);
    await found.db.close();
  });

  it('that breaks off is not imported at all', async () => {
    const storage = await createTestStorage(engine);
    storages.push(storage);
    const found = openWithoutMigrating(readConfig(storage.env));
    await migrateTo(found.migrate, null);
    const target = { db: found.db, files: await openFiles(readConfig(storage.env)), now: Date.now };
    const bytes = await readFile(file);
    const broken = join(folder, 'broken.zip');
    await writeFile(broken, bytes.subarray(0, bytes.length - 1000));
    await expect(importStory(target, broken)).rejects.toThrow('isn’t a readable ZIP');
    expect(await found.db.read.selectFrom('couples').selectAll().execute()).toEqual([]);
    await found.db.close();
  });

  it('continues without a lost photograph, and says so', { tags: ['keeping.export.2'] }, async () => {
    const { ada } = await registerCouple(app);
    const memory = await addPhoto(ada, (await planDate(ada)).id, 21, 'lost one');
    const deps = await depsOf(app);
    await deps.files.remove(`${ada.user.couple.id}/${memory.fileName}`);
    const files = await download(ada, join(folder, 'lost.zip'));
    expect(story(files).memories.filter((one) => one.file === null)).toMatchObject([{ id: memory.id }]);
    expect((files.get('album.html') ?? '').toString()).not.toContain('lost one');
  });

  /** Exports what a partner may see while one file of a photograph is on a bad sector, and returns the archive's files. */
  const exportWithBadSector = async (who: Partner, fileName: string, size: Size) => {
    const deps = await depsOf(app);
    const coupleId = who.user.couple.id as CoupleId;
    const bad = storedName(coupleId, fileName, size);
    const read: Files['read'] = async (name, range) => (name === bad ? badSector() : deps.files.read(name, range));
    const entries = exportEntries(
      { ...deps, files: { ...deps.files, read } },
      { coupleId, userId: who.user.id as UserId },
    );
    const path = join(folder, 'bad-sector.zip');
    await writeFile(
      path,
      zipOf(entries, () => undefined),
    );
    return unzip(path);
  };

  it('continues after a photograph that breaks off, and holds what can be read of it', {
    tags: ['keeping.export.2'],
  }, async () => {
    const { ada } = await registerCouple(app);
    const { id: dateId } = await planDate(ada);
    const bad = await addPhoto(ada, dateId, 22, 'on a bad sector');
    const next = await addPhoto(ada, dateId, 23, 'after it');
    const files = await exportWithBadSector(ada, bad.fileName, 'original');
    const told = (id: string) => story(files).memories.find((memory) => memory.id === id);
    const readable = Buffer.alloc(100);
    expect(told(bad.id)?.changed).toEqual(sizeAndHash(readable));
    expect(files.get(told(bad.id)?.file ?? '')).toEqual(readable);
    expect(told(next.id)?.changed).toBeNull();
    expect(hashOf(told(next.id)?.file, files)).toBe(told(next.id)?.sha256);
  });

  it('shows the original in the album if its preview breaks off', { tags: ['keeping.export.2'] }, async () => {
    const { ada } = await registerCouple(app);
    const memory = await addPhoto(ada, (await planDate(ada)).id, 24, 'with a broken preview');
    const files = await exportWithBadSector(ada, memory.fileName, 'preview');
    const file = story(files).memories.find(({ id }) => id === memory.id)?.file ?? '';
    expect([...files.keys()]).not.toContain(`album/pictures/${memory.id}.webp`);
    const path = file.split('/').map(encodeURIComponent).join('/');
    expect((files.get('album.html') ?? '').toString()).toContain(`src="${path}"`);
  });
});
