/**
 * What the page and its service worker keep on this device, by name: the caches that hold something of the couple. They
 * go with the session (contract 2, logout); the worker's own cache of the app's files is the same for everybody, and
 * stays.
 */
export const CACHES = {
  /** The small photographs seen last. The page makes it for whoever is signed in; without it the worker keeps none. */
  thumbnails: 'thumbnails',
  /** Photographs that another app has shared with us, until the upload page takes them. */
  shared: 'shared-photographs',
} as const;

/** What the page tells its service worker: that the version waiting may begin. */
export const BEGIN = 'begin';

/** Where photographs are shared to, and under which field of the form (the manifest's share target). */
export const SHARE = { path: '/memories/upload', field: 'photos', flag: 'shared' } as const;
