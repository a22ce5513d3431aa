/**
 * The caches of the page and its service worker that contain data of the couple. They are deleted when the session
 * ends. The worker's cache of the app's files has no personal data and stays.
 */
export const CACHES = {
  /** Recent thumbnails. The page creates this cache after signing in; without it the worker caches none. */
  thumbnails: 'thumbnails',
  /** Photos that another app has shared, until the upload page takes them. */
  shared: 'shared-photographs',
  /** The id of the last user who was signed in. A session that ended by itself keeps it: what is shared next is theirs. */
  lastUser: 'last-user',
} as const;

/** The message that lets a waiting service worker activate. */
export const ACTIVATE_MESSAGE = 'begin';
