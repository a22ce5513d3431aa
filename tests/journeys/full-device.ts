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
