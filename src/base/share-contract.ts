/**
 * The manifest's share target: its path and the form field with the photos. The worker opens the path with a flag, the
 * share's id, how many photos it has stored, and of how many.
 */
export const SHARE = {
  path: '/memories/upload',
  field: 'photos',
  title: 'title',
  text: 'text',
  url: 'url',
  flag: 'shared',
  id: 'share',
  stored: 'stored',
  of: 'of',
} as const;

/** The headers with which the worker stores a shared photo, besides the usual ones. */
export const SHARED_HEADERS = { name: 'x-name', owner: 'x-owner', share: 'x-share' } as const;
