import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Caller } from '../../../tests/support/caller.ts';
import { describeOnBoth } from '../../../tests/support/engines.ts';
import { readStoryJson, unzip } from '../../../tests/support/export-archive.ts';
import { completeDate } from '../../../tests/support/factories.ts';
import type { Partner } from '../../../tests/support/partner.ts';
import { joinAsBen, registerCouple } from '../../../tests/support/register-couple.ts';
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts';
import { createTestStorage } from '../../../tests/support/test-storage.ts';
import { DAY } from '../../base/durations.ts';
import type { CoupleId, UserId } from '../../base/ids.ts';
import { migrateTo } from '../../base/server/db/migrate.ts';
import { openWithoutMigrating } from '../../base/server/db/open.ts';
import { openFiles } from '../../base/server/files/open.ts';
import { readConfig } from '../../base/server/process/config.ts';
import { importStory } from '../../keeping/server/import/import-story.ts';
import { readStory } from '../../keeping/server/story-store.ts';
import { LEFT_AUTHOR, NOTE_REFUSED } from '../rules.ts';

const NOON = Date.parse('2026-10-21T12:00:00Z');
const [TRAIN, ASLEEP] = ['We missed the train.', 'You fell asleep.'];
const FOR_A_LATER_PARTNER = { mine: null, theirs: null, theirsWritten: true, revealed: true };

describeOnBoth('the two notes of a partner who left', (engine) => {
  let app: TestApp;
  let folder: string;
  let ada: Partner;
  let ben: Partner;
  /** About which both have written. */
  let open: string;
  /** About which only Ben has. */
  let sealed: string;
  beforeAll(async () => {
    app = await startTestApp(engine);
    folder = await mkdtemp(join(tmpdir(), 'left-notes-'));
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    ({ ada, ben } = await registerCouple(app));
    ({ id: open } = await completeDate(ada, { at: NOON, minutes: 90 }));
    ({ id: sealed } = await completeDate(ada, { at: NOON + DAY, minutes: 90 }));
    await write(ada, open, TRAIN);
    await write(ben, open, ASLEEP, 4);
    await write(ben, sealed, 'Nobody read this.');
  });

  const read = async (who: Caller, id: string) =>
    (await who.call('GET /api/PlannedDates/{id}/notes', { params: { id } })).body;
  const write = (who: Caller, id: string, text: string, hearts: number | null = null) =>
    who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id }, body: { text, hearts } });
  const leave = async (who: Partner) =>
    (await who.call('POST /api/auth/leave', { body: { currentPassword: who.password } })).status;
  const joinAda = () => joinAsBen(app, ada, `eve-${crypto.randomUUID()}@example.org`);
  const mutualNotes = async (who: Caller) =>
    (await who.call('GET /api/Stats/years/{year}', { params: { year: '2026' } })).body.mutualNotes;
  const textsOf = async (who: Partner) => {
    const coupleId = who.user.couple.id as CoupleId;
    const rows = await Promise.all(
      (['notes', 'leftNotes'] as const).map((table) =>
        app.db.read
          .selectFrom(table as 'notes')
          .select('text')
          .where('coupleId', '=', coupleId)
          .execute(),
      ),
    );
    return rows.flat().map(({ text }) => text);
  };

  it('stay open for the partner who stays, and count; sealed ones go', { tags: ['notes.16'] }, async () => {
    const before = await read(ada, open);
    expect(await leave(ben)).toBe(204);
    expect(await read(ada, open)).toEqual({ ...before, theirs: { ...before.theirs, authorLeft: true } });
    expect(before.theirs).toMatchObject({ text: ASLEEP, hearts: 4 });
    expect(before.theirs).not.toHaveProperty('authorLeft');
    expect(await read(ada, sealed)).toEqual({ mine: null, theirs: null, theirsWritten: false, revealed: false });
    expect(await mutualNotes(ada)).toBe(1);
    expect((await textsOf(ada)).toSorted()).toEqual([TRAIN, ASLEEP]);
    // Nothing of his account is left.
    for (const table of ['notes', 'leftNotes', 'users'] as const) {
      const rows = await app.db.read
        .selectFrom(table as 'notes')
        .selectAll()
        .execute();
      expect(JSON.stringify(rows)).not.toContain(ben.user.id);
    }
    expect(await write(ada, open, 'Other words')).toMatchObject({
      status: 409,
      problem: { message: NOTE_REFUSED.revealed },
    });
  });

  it('are one, shown as revealed, where only the partner who stays has written', { tags: ['notes.7'] }, async () => {
    const { id } = await completeDate(ada, { at: NOON, minutes: 5 });
    await write(ada, id, TRAIN);
    await leave(ben);
    expect(await read(ada, id)).toMatchObject({
      mine: { text: TRAIN },
      theirs: null,
      theirsWritten: false,
      revealed: true,
    });
  });

  it('are not shown to a partner who joins later, who can write about other dates only', {
    tags: ['notes.16'],
  }, async () => {
    await leave(ben);
    const eve = await joinAda();
    expect(await read(eve, open)).toEqual(FOR_A_LATER_PARTNER);
    const params = { id: open };
    expect(await write(eve, open, 'Mine')).toMatchObject({
      status: 409,
      problem: { message: NOTE_REFUSED.beforeJoining },
    });
    expect((await eve.call('DELETE /api/PlannedDates/{id}/notes/mine', { params })).status).toBe(409);
    expect(await read(ada, open)).toMatchObject({ mine: { text: TRAIN }, theirs: { text: ASLEEP, authorLeft: true } });
    expect(await mutualNotes(eve)).toBe(1);
    await write(eve, sealed, 'I was told of it.');
    await write(ada, sealed, 'I told you of it.');
    const { theirs } = await read(eve, sealed);
    expect(theirs).toMatchObject({ text: 'I told you of it.' });
    expect(theirs).not.toHaveProperty('authorLeft');
    expect(await mutualNotes(ada)).toBe(2);
    expect(
      JSON.stringify(await readStory(app.db, eve.user.couple.id as CoupleId, eve.user.id as UserId, 0)),
    ).not.toMatch(`${TRAIN}|${ASLEEP}`);
    // She leaves too: what she and Ada opened stays, beside what Ben left.
    await leave(eve);
    expect(await read(ada, sealed)).toMatchObject({ theirs: { text: 'I was told of it.', authorLeft: true } });
    expect(await read(ada, open)).toMatchObject({ theirs: { text: ASLEEP } });
    expect(await mutualNotes(ada)).toBe(2);
  });

  it('go with the partner for whom they were opened', { tags: ['notes.16'] }, async () => {
    await leave(ben);
    const eve = await joinAda();
    await leave(ada);
    expect(await textsOf(ada)).toEqual([]);
    expect(await read(eve, open)).toEqual({ mine: null, theirs: null, theirsWritten: false, revealed: false });
    expect(await mutualNotes(eve)).toBe(0);
  });

  it('go to the trash with their date, come back with it, and are erased with it and with the space', {
    tags: ['notes.16'],
  }, async () => {
    const params = { id: open };
    await ada.call('DELETE /api/PlannedDates/{id}', { params });
    await leave(ben);
    await ada.call('POST /api/Trash/{id}/restore', { params });
    expect(await read(ada, open)).toMatchObject({ theirs: { text: ASLEEP } });
    const eve = await joinAda();
    for (const who of [ada, eve]) {
      await who.call('POST /api/couple/deletion', { body: { currentPassword: who.password } });
    }
    expect(await textsOf(ada)).toEqual([]);
    const other = await registerCouple(app);
    ({ id: params.id } = await completeDate(other.ada, { at: NOON, minutes: 90 }));
    for (const who of [other.ada, other.ben]) await write(who, params.id, TRAIN);
    await leave(other.ben);
    await other.ada.call('DELETE /api/PlannedDates/{id}', { params });
    await other.ada.call('DELETE /api/Trash/{id}', { params });
    expect(await textsOf(other.ada)).toEqual([]);
  });

  it('are kept or sealed, never shown and then gone, if the second is written while the first one’s writer leaves', {
    tags: ['notes.16'],
  }, async () => {
    for (let round = 0; round < 8; round += 1) {
      const us = await registerCouple(app);
      const { id } = await completeDate(us.ada, { at: NOON, minutes: 5 });
      await write(us.ben, id, ASLEEP);
      const [written, left] = await Promise.all([write(us.ada, id, TRAIN), leave(us.ben)]);
      expect([written.status, left]).toEqual([200, 204]);
      expect((await read(us.ada, id)).theirs?.text).toBe(written.body.theirs?.text);
    }
  });

  it('are kept, never shown and then gone, if the one who leaves writes the second meanwhile', {
    tags: ['notes.16'],
  }, async () => {
    for (let round = 0; round < 12; round += 1) {
      const us = await registerCouple(app);
      const { id } = await completeDate(us.ada, { at: NOON, minutes: 5 });
      await write(us.ada, id, TRAIN);
      // At another moment of the leaving each time.
      const writing = setTimeout(round * 4).then(() => write(us.ben, id, ASLEEP));
      const [written, left] = await Promise.all([writing, leave(us.ben)]);
      expect(left).toBe(204);
      expect((await read(us.ada, id)).theirs?.text).toBe(written.status === 200 ? ASLEEP : undefined);
    }
  });

  it('are in the export of the partner who stays, and in its import', { tags: ['notes.16'] }, async () => {
    await leave(ben);
    const { url } = (await ada.call('POST /api/export')).body;
    const file = join(folder, 'export.zip');
    await writeFile(file, Buffer.from(await (await fetch(app.url + url)).arrayBuffer()));
    const files = await unzip(file);
    expect(readStoryJson(files).leftNotes).toMatchObject([{ plannedDateId: open, text: ASLEEP, hearts: 4 }]);
    expect((files.get('data/notes.csv') ?? '').toString()).toContain(`${LEFT_AUTHOR},${ASLEEP},4`);
    expect((files.get('album.html') ?? '').toString()).toMatch(new RegExp(`${ASLEEP}</p><footer>${LEFT_AUTHOR}`));

    const config = readConfig((await createTestStorage(engine)).env);
    const found = openWithoutMigrating(config);
    await migrateTo(found.migrate, null);
    await importStory({ db: found.db, files: await openFiles(config), now: Date.now }, file);
    const storyOf = ({ db }: Pick<TestApp, 'db'>) =>
      readStory(db, ada.user.couple.id as CoupleId, ada.user.id as UserId, 0);
    expect(await storyOf(found)).toEqual(await storyOf(app));
    await found.db.close();
  });
});
