import { expect, it } from 'vitest';
import type { BrowserEngine } from '../../support/browsers/browser-engine.ts';
import { countDecodedImages } from '../../support/browsers/count-decoded-images.ts';
import { findOverflow, SIZES } from '../../support/browsers/find-overflow.ts';
import type { Tab } from '../../support/browsers/tab.ts';
import { useBrowser } from '../../support/browsers/use-browser.ts';
import { writePhotos } from '../../support/browsers/write-photos.ts';
import { addIdea, addPhoto, completeDate, planDate } from '../../support/factories.ts';
import type { Partner } from '../../support/partner.ts';
import { PASSWORD } from '../../support/register-couple.ts';

/** The whole product in the engines that the other journeys don't use: half of all couples have an iPhone. */
export function tellWholeStory(engine: BrowserEngine): void {
  const here = useBrowser(engine);

  it('registers, invites and joins, and follows a date from the idea to its end', {
    tags: ['accounts.partner.3', 'screens.browsers.1', 'screens.forms.6'],
  }, async () => {
    const ada = await here.open();
    await ada.resize(1280, 800);
    await ada.goto('/auth/register');
    await fillAccount(ada, 'Ada', `ada@${engine.name}.example`);
    await ada.byRole('button', 'Create our space').click();
    await ada.waitForPath('/dashboard');
    await ada.visit('/settings');
    await ada.byRole('button', 'Invite').click();
    await ada.byLabel('Invitation link').wait();
    const invitation = await ada.byLabel('Invitation link').value();
    expect(invitation).toContain(ada.origin);

    const ben = await here.open();
    await ben.resize(360, 780);
    await ben.goto(invitation);
    await ben.byRole('heading', 'Ada invites you').wait();
    await fillAccount(ben, 'Ben', `ben@${engine.name}.example`);
    await ben.byRole('button', 'Join').click();
    await ben.waitForPath('/dashboard');
    await ada.byRole('heading', 'Ben cannot sign in?').wait();

    // Signed in, he opens the invitation again.
    await ben.goto(invitation);
    await ben.byText(/^You are signed in as/).wait();
    await ben.byRole('button', 'Stay signed in').click();

    // Her idea appears on his screen without a reload.
    await ben.visit('/date-ideas');
    await ben.byText(/^No date ideas yet!/).wait();
    await ada.visit('/date-ideas/add');
    await ada.byLabel('Title').fill('Lantern walk');
    await ada.byLabel('Description').fill('One lantern each, at the weir');
    await ada.byLabel('Category').select('Outdoor');
    await ada.byRole('button', 'Save Idea').click();
    await ada.waitForPath('/date-ideas');
    await ben.byText('1 idea found').wait();
    await ben.byRole('link', 'Plan This Date').click();

    // A date that he types only partly is refused, and kept.
    const start = ben.byLabel('Date and time');
    const end = ben.byLabel('End time');
    await start.wait();
    await end.tabTo();
    await ben.type('11');
    await expect.poll(() => isHalfTyped(end)).toBe(true);
    // Enter submits the form from the field.
    await ben.press('Enter');
    await ben.byText('Please enter a complete date and time').wait();
    expect(await isHalfTyped(end)).toBe(true);

    // He fills in the time with one press, and types the end.
    await ben.byRole('button', 'Next Week').click();
    await expect.poll(() => ben.byRole('button', 'Next Week').attribute('aria-pressed')).toBe('true');
    const nextWeek = await start.value();
    await end.typeDateTime(`${nextWeek.slice(0, 11)}22:45`);
    // Then he types both.
    const year = new Date().getFullYear() + 1;
    await start.typeDateTime(`${year}-06-01T09:30`);
    await ben.byText('End time must be after start time').wait();
    await end.typeDateTime(`${year}-06-01T12:05`);
    await ben.byText('End time must be after start time').waitUntilGone();
    await ben.byLabel('Location').fill('The old bridge');
    await ben.byRole('button', 'Plan This Date').click();
    await ben.waitForPath(/^\/planned-dates\/[0-9a-f-]{36}$/);
    const path = await ben.path();
    await ben.byText('The old bridge').wait();
    await ben.byText(/9:30 AM/).wait();

    await ben.byRole('button', 'Start Date').click();
    await ben.byText('In Progress').wait();
    await ada.visit('/planned-dates');
    await ada.byText('In Progress').wait();
    await ada.visit(`${path}/complete`);
    await ada.byRole('button', '1 hour ago').click();
    await ada.byLabel('Actual start time').typeDateTime(twoHoursAgo());
    await ada.byRole('button', 'Complete Date').click();
    await ada.waitForPath(new RegExp(`^${path}`));
    await ben.byText('Completed').wait();
  });

  it('uploads photographs, shows them, and puts back what was deleted', { tags: ['screens.browsers.1'] }, async () => {
    const { ada: who } = await here.couple();
    const date = await completeDate(who, { idea: { title: 'The whole beach' }, at: AN_EVENING, minutes: 90 });
    const tab = await here.open(who);
    await tab.resize(768, 1024);
    await tab.goto(`/memories/upload/${date.id}`);
    await tab.byLabel('Choose photos').setFiles(await writePhotos(['waves', 'rain', 'harbor']));
    await tab.byText('3 photos selected').wait();
    await tab.bySelector('[placeholder="Add a caption for this memory..."]').fill('You and the waves');
    await tab.byRole('button', 'Save 3 Memories').click();
    await tab.waitForPath(`/memories?dateId=${date.id}`);
    await tab.byText(/^3 memories found/).wait();
    await expect.poll(() => countDecodedImages(tab, 'main img')).toBe(3);

    // By the keyboard only.
    await tab.byRole('button', 'View Slideshow').tabTo();
    await tab.press('Enter');
    const show = tab.byRole('dialog', 'Slideshow');
    await show.byText('1 / 3').wait();
    await tab.press('ArrowRight');
    await show.byText('2 / 3').wait();
    await tab.press('ArrowLeft');
    await tab.press('ArrowLeft');
    await show.byText('3 / 3').wait();
    await expect.poll(() => countDecodedImages(tab, 'dialog img')).toBeGreaterThan(0);
    await show.byRole('button', 'Delete').click();
    await tab.byRole('alertdialog').byRole('button', 'Delete').click();
    await show.byText(/ \/ 2$/).wait();
    await tab.press('Escape');
    await show.waitUntilGone();
    await tab.byText(/^2 memories found/).wait();

    await tab.visit('/settings');
    const deleted = tab.byRole('region', 'Recently deleted');
    await deleted.byRole('button', 'Put back').click();
    await tab.byText('The memory is back.').wait();
    await tab.visit('/memories');
    await tab.byText(/^3 memories found/).wait();
    await expect.poll(() => countDecodedImages(tab, 'main img')).toBe(3);
  });

  it('goes back and forward, keeps its place after a reload, and asks before typed text is lost', {
    tags: ['screens.browsers.1'],
  }, async () => {
    const { ada: who } = await here.couple();
    const idea = await addIdea(who, { title: 'A boat at dawn' });
    const tab = await here.open(who);
    await tab.resize(1280, 800);
    await tab.goto('/dashboard');
    await tab.byRole('navigation').byRole('link', 'Date Ideas').click();
    await tab.byText('1 idea found').wait();
    await tab.byRole('link', 'Plan This Date').click();
    await tab.waitForPath(`/date-ideas/${idea.id}/plan`);
    await tab.back();
    await tab.waitForPath('/date-ideas');
    await tab.byText('1 idea found').wait();
    await tab.back();
    await tab.waitForPath('/dashboard');
    await tab.forward();
    await tab.waitForPath('/date-ideas');
    await tab.reload();
    await tab.byText('1 idea found').wait();

    await tab.byRole('link', 'Add New Idea').click();
    const title = tab.byLabel('Title');
    await title.fill('Half a thought');
    const question = tab.byRole('alertdialog', 'You have unsaved changes. Are you sure you want to leave?');
    await tab.byRole('navigation').byRole('link', 'Our Dates').click();
    await question.byRole('button', 'Stay').click();
    await question.waitUntilGone();
    // The browser's own button asks too, with and without the Navigation API.
    await tab.back();
    await question.byRole('button', 'Stay').click();
    await question.waitUntilGone();
    expect(await tab.path()).toBe('/date-ideas/add');
    expect(await title.value()).toBe('Half a thought');
    await tab.byRole('link', 'Cancel').click();
    await question.byRole('button', 'Leave').click();
    await tab.waitForPath('/date-ideas');
  });

  it('makes dates of old photographs, which Enter names one after the other', {
    tags: ['uploads.outings.2', 'uploads.outings.4'],
  }, async () => {
    const { ada: who } = await here.couple();
    const tab = await here.open(who);
    await tab.resize(360, 740);
    await tab.goto('/memories/upload');
    const taken = ['2019:06:01 21:03:00', '2020:08:11 10:00:00'];
    await tab.byLabel('Choose photos').setFiles(await writePhotos(['party', 'swim'], taken));
    const party = tab.byRole('listitem', 'Saturday, June 1, 2019').byLabel('What did we do?');
    const swim = tab.byRole('listitem', 'Tuesday, August 11, 2020').byLabel('What did we do?');
    await party.wait();
    await party.focus();
    await tab.type('The garden party');
    const top = (title: typeof party) => title.evaluate((one) => one.getBoundingClientRect().top);
    const before = await top(party);
    await tab.press('Enter');
    await expect.poll(() => swim.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(Math.abs((await top(swim)) - before)).toBeLessThan(2);
    await tab.type('A swim');
    await tab.byRole('button', 'Add 2 Dates').click();
    await tab.byText('2 dates added to our story.').wait();
    await tab.byRole('button', 'Save 2 Memories').click();
    await expect
      .poll(async () => (await who.call('GET /api/PlannedDates')).body.map(({ memoryCount }) => memoryCount))
      .toEqual([1, 1]);
    await tab.visit('/memories?sort=story-asc');
    await expect.poll(() => countDecodedImages(tab, 'main img')).toBe(2);
  });

  it('keeps the colors, signs out and in, and shows nothing of the couple when we go back in between', {
    tags: ['screens.browsers.1', 'screens.browsers.2'],
  }, async () => {
    const { ada: who } = await here.couple();
    await completeDate(who, { idea: { title: 'Shooting stars' }, at: AN_EVENING, minutes: 90 });
    const tab = await here.open(who);
    await tab.goto('/planned-dates?status=completed');
    await tab.byText('Shooting stars').wait();
    await tab.waitFor(() => caches.has('thumbnails'));
    await tab.waitFor(keepsAnswers, 'dates');
    await tab.goto('/settings');
    await tab.byRole('heading', 'Settings').wait();
    const ink = () => tab.evaluate(() => getComputedStyle(document.querySelector('h1') as Element).color);
    const light = await ink();
    await tab.byRole('radio', 'Dark').click();
    await expect.poll(ink).not.toBe(light);
    const dark = await ink();
    await tab.reload();
    await tab.byRole('heading', 'Settings').wait();
    await expect.poll(ink).toBe(dark);

    await tab.byRole('main').byRole('button', 'Sign out').click();
    await tab.waitForPath(/^\/auth\/login/);
    await tab.waitFor(async () => (await indexedDB.databases()).length === 0);
    // A page that is left while it loads its code reports that as an error.
    await tab.byRole('button', 'Sign in').wait();
    await tab.evaluate(() => {
      document.title = 'The page that is left';
    });
    await tab.back();
    // The page before asks for the session, and leads to another document with the same address.
    await tab.waitFor(
      () =>
        document.title !== 'The page that is left' &&
        location.pathname.endsWith('/login') &&
        document.readyState === 'complete',
    );
    await tab.byRole('button', 'Sign in').wait();
    expect(await tab.byText('Shooting stars').count()).toBe(0);
    await tab.byLabel('Email').fill(who.email);
    await tab.byLabel('Password').fill(who.password);
    await tab.byRole('button', 'Sign in').click();
    await tab.byRole('heading', 'Our Dates').wait();
  });

  it('shows offline what was seen, keeps what is added, and sends it when the connection is back', {
    tags: ['screens.browsers.1', 'screens.browsers.2'],
  }, async () => {
    const { ada: who } = await here.couple();
    const date = await completeDate(who, { idea: { title: 'Shooting stars' }, at: AN_EVENING, minutes: 90 });
    await addPhoto(who, date.id, 1, 'The first star');
    const tab = await here.open(who);
    await tab.resize(360, 780);
    await install(tab);
    await tab.visit('/date-ideas');
    await tab.byText('1 idea found').wait();
    await tab.waitFor(keepsAnswers, 'ideas');
    await tab.visit('/memories');
    await expect.poll(() => countDecodedImages(tab, 'main img')).toBe(1);
    await tab.waitFor(keepsAnswers, 'memories');
    await tab.waitFor(async () => (await (await caches.open('thumbnails')).keys()).length === 1);

    await here.setOffline(tab, true);
    await tab.goto('/memories');
    await expect.poll(() => countDecodedImages(tab, 'main img')).toBe(1);
    await tab.byText('We are offline. This is what we saw last.').wait();
    await tab.goto('/date-ideas');
    await tab.byText('1 idea found').wait();
    await tab.goto('/date-ideas/add');
    await tab.byLabel('Title').fill('Written on the train');
    await tab.byRole('button', 'Save Idea').click();
    const waiting = tab.byRole('region', 'Waiting to be sent');
    await waiting.byText('Written on the train').wait();
    await tab.reload();
    await waiting.byText('Written on the train').wait();
    expect((await who.call('GET /api/DateIdeas')).body).toHaveLength(1);

    await here.setOffline(tab, false);
    await tab.byText('2 ideas found').wait();
    await waiting.waitUntilGone();
    const { body } = await who.call('GET /api/DateIdeas');
    expect(body.map(({ title }) => title).toSorted()).toEqual(['Shooting stars', 'Written on the train']);

    // A page that is left while it reads from this device does not block the next one.
    await tab.evaluate(neverEndTransactions);
    await here.setOffline(tab, true);
    await tab.goto('/date-ideas/add');
    await tab.byLabel('Title').fill('Written on the ferry');
    await tab.byRole('button', 'Save Idea').click();
    await waiting.byText('Written on the ferry').wait();
  });

  it('fits into every window', { tags: ['screens.browsers.3'] }, async () => {
    const { ada: who } = await here.couple();
    const { paths, heading } = await fillScreens(who);
    const tab = await here.open(who);
    await tab.goto('/settings');
    await tab.byRole('heading', 'Settings').wait();
    const found: string[] = [];
    for (const path of paths) {
      await tab.visit(path);
      await expect.poll(() => tab.evaluate(titleOfLoaded)).toBe(heading[path]);
      for (const [width, height] of SIZES) {
        await tab.resize(width, height);
        found.push(...(await findOverflow(tab)).map((line) => `${path} at ${width}: ${line}`));
      }
    }
    expect(found).toEqual([]);
  });
}

const AN_EVENING = Date.parse('2026-10-20T18:00:00Z');

/** Whether a date was typed only partly: a browser tells the page nothing of what there is. */
function isHalfTyped(field: ReturnType<Tab['byLabel']>): Promise<boolean> {
  return field.evaluate((input) => {
    const { value, validity } = input as HTMLInputElement;
    return value === '' && validity.badInput;
  });
}

async function fillAccount(tab: Tab, name: string, email: string): Promise<void> {
  await tab.byLabel('Your name').fill(name);
  await tab.byLabel('Email').fill(email);
  await tab.byLabel('Password').fill(PASSWORD);
}

/** Two hours ago as a `datetime-local` field has it, in the zone of the journeys' browsers. */
function twoHoursAgo(): string {
  const local = new Date(Date.now() - 7_200_000).toLocaleString('sv-SE', { timeZone: 'Europe/Rome' });
  return local.slice(0, 16).replace(' ', 'T');
}

/** Opens the dashboard until the service worker serves the page and keeps thumbnails. */
async function install(tab: Tab): Promise<void> {
  await tab.goto('/dashboard');
  await tab.waitFor(() => navigator.serviceWorker.controller !== null);
  await tab.waitFor(() => caches.has('thumbnails'));
}

/** In the page: from now on, each transaction lasts until the page is left, and the outbox is read in one. */
function neverEndTransactions(): void {
  const begin = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...args) {
    const transaction = begin.apply(this, args);
    const store = transaction.objectStore(transaction.objectStoreNames[0] ?? '');
    const goOn = () => {
      store.count().onsuccess = goOn;
    };
    goOn();
    return transaction;
  };
  new BroadcastChannel('outbox').postMessage('changed');
}

/** In the page: whether the answer to a query of a slice is stored on the device. */
async function keepsAnswers(slice: string): Promise<boolean> {
  const opening = indexedDB.open('last-seen');
  await new Promise((done) => Object.assign(opening, { onsuccess: done, onerror: done }));
  const all = opening.result.transaction('answers').objectStore('answers').getAllKeys();
  await new Promise((done) => Object.assign(all, { onsuccess: done }));
  opening.result.close();
  return all.result.some((key) => typeof key === 'string' && key.startsWith(`["${slice}"`));
}

/** In the page: what the screen is called, once it is loaded. */
function titleOfLoaded(): string | undefined {
  return document.querySelector('main:not([aria-busy=true]) h1')?.textContent;
}

/** Fills a couple's album. Returns the paths of all screens, and what each is called. */
async function fillScreens(who: Partner) {
  const title = 'Donaudampfschifffahrtsgesellschaft, from the observatory to the last stop';
  const idea = await addIdea(who, { title, description: 'Then the night train. '.repeat(9) });
  const planned = await planDate(who, { idea: idea.id, location: 'The pier' });
  const done = await completeDate(who, { idea: { title: 'Shooting stars' }, at: AN_EVENING, minutes: 90 });
  for (const seed of [1, 2, 3]) await addPhoto(who, done.id, seed, seed === 2 ? title : undefined);
  const heading: Record<string, string> = {
    '/dashboard': 'Our Love Story',
    '/date-ideas': 'Date Ideas',
    '/date-ideas/add': 'Add Date Idea',
    [`/date-ideas/${idea.id}/edit`]: 'Edit Date Idea',
    [`/date-ideas/${idea.id}/plan`]: 'Plan a Date',
    '/planned-dates': 'Our Dates',
    [`/planned-dates/${planned.id}`]: title,
    [`/planned-dates/${done.id}`]: 'Shooting stars',
    '/memories': 'Our Memories',
    [`/memories/upload/${done.id}`]: 'Add Beautiful Memories',
    '/stats': 'Our Love Story in Numbers',
    '/settings': 'Settings',
  };
  return { paths: Object.keys(heading), heading };
}
