import type { Page } from 'playwright-core';

/**
 * Makes the device full from the page's next load on: it stores nothing in these stores of a database until `clear`, or
 * until a database of this name is deleted.
 */
export async function fillDevice(
  page: Page,
  { until = '', stores = '^files$' } = {},
): Promise<{ clear: () => Promise<unknown>; fill: () => Promise<unknown> }> {
  await page.addInitScript(
    ({ name, stores }) => {
      const state = { isFull: true };
      Object.assign(globalThis, { device: state });
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...row) {
        if (new RegExp(stores).test(this.name) && state.isFull) throw new DOMException('No room', 'QuotaExceededError');
        return put.apply(this, row);
      };
      const { deleteDatabase } = IDBFactory.prototype;
      IDBFactory.prototype.deleteDatabase = function (deleted) {
        if (deleted === name) state.isFull = false;
        return deleteDatabase.call(this, deleted);
      };
    },
    { name: until, stores },
  );
  const set = (isFull: boolean) =>
    page.evaluate((full) => {
      (globalThis as unknown as { device: { isFull: boolean } }).device.isFull = full;
    }, isFull);
  return { clear: () => set(false), fill: () => set(true) };
}

/** Blocks the database of photographs from the page's next load on, by an older version of it that stays open. */
export async function blockDatabase(page: Page): Promise<{ open: () => Promise<unknown> }> {
  await page.addInitScript(() => {
    if (location.protocol === 'about:') return;
    const opening = indexedDB.open('unsent-photographs', 1);
    opening.onsuccess = () => Object.assign(globalThis, { blocker: opening.result });
  });
  return { open: () => page.evaluate(() => (globalThis as unknown as { blocker: IDBDatabase }).blocker.close()) };
}

/** Holds the timers that end a page's patience with its database until `end`, from its next load on. */
export async function holdPatience(page: Page): Promise<{ end: () => Promise<unknown> }> {
  await page.addInitScript((patience) => {
    const start = globalThis.setTimeout.bind(globalThis);
    const waiting: (() => void)[] = [];
    let isHeld = true;
    const hold = (work: () => void, ms = 0) => {
      if (ms !== patience || !isHeld) return start(work, ms);
      waiting.push(work);
      return start(() => undefined, ms);
    };
    const endWaits = () => {
      isHeld = false;
      for (const work of waiting.splice(0)) work();
    };
    Object.assign(globalThis, { setTimeout: hold, endWaits });
  }, 5_000);
  return { end: () => page.evaluate(() => (globalThis as unknown as { endWaits: () => void }).endWaits()) };
}

/** Lets the page try to store a photograph again after half a second, not twenty, from its next load on. */
export async function storeAgainSoon(page: Page): Promise<void> {
  await page.addInitScript((again) => {
    const start = globalThis.setTimeout.bind(globalThis);
    const sooner = (work: () => void, ms = 0) => start(work, ms === again ? 500 : ms);
    Object.assign(globalThis, { setTimeout: sooner });
  }, 20_000);
}
