import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/base/durations.ts';
import { completeDate, startDate } from '../../support/factories.ts';
import { makeJpeg } from '../../support/images.ts';
import { holdRequests } from '../../support/page-steps.ts';
import { useCouple } from '../../support/use-app.ts';

describe('what version 1.0.0 has kept on a device', () => {
  const us = useCouple();

  it('is still there: an unsealed note, a note of date mode, and a photograph', {
    tags: ['screens.forms.11'],
  }, async () => {
    const done = await completeDate(us.ada, { at: Date.now() - DAY, minutes: 90 });
    const running = await startDate(us.ada, { at: Date.now() - HOUR });
    const page = await us.open();
    await page.goto('/healthz');
    const photo = [...(await makeJpeg({ width: 60, height: 40, seed: 9 }))];
    await page.evaluate(storeAsVersion1, { owner: us.ada.user.id, done: done.id, running: running.id, photo });
    await page.goto(`/planned-dates/${done.id}`);
    const notes = async () =>
      (await us.ben.call('GET /api/PlannedDates/{id}', { params: { id: running.id } })).body.notes;
    await expect.poll(notes).toBe('From date mode');
    await page.reload();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'My note' }).inputValue())
      .toBe('The long letter, which nobody may lose.');
    await page.goto('/memories/upload');
    await page.getByRole('heading', { name: 'We kept 1 photo for you' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('kept.jpg').waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Caption' }).inputValue()).toBe('A lamp');
    await page.getByRole('button', { name: 'Save 1 Memory' }).click();
    const album = async () => (await us.ben.call('GET /api/Memories')).body.map(({ caption }) => caption);
    await expect.poll(album).toEqual(['A lamp']);
  });

  it('opens the app for its last user before the server answers', { tags: ['screens.first.1'] }, async () => {
    const page = await us.openAs(us.ada);
    await page.goto('/healthz');
    const { id, email, displayName, partner, couple } = us.ada.user;
    await page.evaluate(storeUserAsVersion1, { id, email, displayName, partner, couple });
    const answer = await holdRequests(page, '**/api/**');
    await page.goto('/settings');
    await page.getByRole('radio', { name: 'US' }).waitFor();
    expect(await page.getByRole('radio', { name: 'US' }).isChecked()).toBe(true);
    await page.getByLabel('Your name').waitFor();
    answer();
  });
});

/** Runs in a page without the app. Stores what version 1.0.0 would. */
async function storeAsVersion1(kept: { owner: string; done: string; running: string; photo: number[] }): Promise<void> {
  const open = async (name: string, version: number, upgrade: (db: IDBDatabase) => void) => {
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => upgrade(opening.result);
    await new Promise((done) => Object.assign(opening, { onsuccess: done }));
    return opening.result;
  };
  const write = async (db: IDBDatabase, rows: Record<string, readonly [value: unknown, key?: string]>) => {
    const writing = db.transaction(Object.keys(rows), 'readwrite');
    for (const [store, [value, key]] of Object.entries(rows)) writing.objectStore(store).put(value, key);
    await new Promise((done) => Object.assign(writing, { oncomplete: done }));
    db.close();
  };
  const { owner, done, running, photo } = kept;
  const outbox = await open('outbox', 2, (db) => {
    db.createObjectStore('calls', { keyPath: 'id' });
    db.createObjectStore('sent');
    db.createObjectStore('notes', { keyPath: 'dateId' });
  });
  await write(outbox, { notes: [{ owner, dateId: running, title: 'A date', base: '', text: 'From date mode' }] });
  const drafts = await open('note-drafts', 1, (db) => {
    db.createObjectStore('drafts', { keyPath: ['owner', 'dateId'] });
  });
  await write(drafts, {
    drafts: [{ owner, dateId: done, text: 'The long letter, which nobody may lose.', hearts: null }],
  });
  const unsent = await open('unsent-photographs', 2, (db) => {
    for (const store of ['files', 'photos', 'runs', 'uploads']) db.createObjectStore(store);
  });
  const details = { userId: owner, captured: false, caption: 'A lamp', ownDateId: null, dateId: done, attempt: null };
  await write(unsent, {
    files: [new File([new Uint8Array(photo)], 'kept.jpg', { type: 'image/jpeg' }), 'a-photo'],
    photos: [{ id: 'a-photo', ...details }, 'a-photo'],
    runs: [{ userId: owner, dateId: done, goesOn: false, ids: ['a-photo'] }, 'last'],
  });
}

/** Runs in a page without the app. Stores its last user as version 1.0.0 would. */
async function storeUserAsVersion1(user: object): Promise<void> {
  localStorage.setItem('known', 'yes');
  const opening = indexedDB.open('last-seen', 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('answers').createIndex('at', 'at');
    opening.result.createObjectStore('who');
  };
  await new Promise((done) => Object.assign(opening, { onsuccess: done }));
  const writing = opening.result.transaction('who', 'readwrite');
  writing.objectStore('who').put(user, 'last');
  await new Promise((done) => Object.assign(writing, { oncomplete: done }));
  opening.result.close();
}
