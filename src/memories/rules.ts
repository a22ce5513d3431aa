/** The limits of memories. Sizes in bytes, caption in code points. */
export const memoryLimits = {
  fileSizeBytes: 100 * 1024 * 1024,
  files: 100,
  /** Larger photos are sent in parts of this size, since proxies of home servers cut long requests. */
  partBytes: 8 * 1024 * 1024,
  /** How long a resumable upload may stay unfinished. */
  unfinishedMs: 86_400_000,
  caption: 500,
  countDefault: 100,
  countMax: 500,
  skipMax: 10_000_000,
  /** How long deleted entries stay in the trash. */
  trashMs: 30 * 86_400_000,
} as const;

/** The four accepted formats: media type to the extension of the stored file. */
export const FORMATS = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/gif': '.gif',
  'image/webp': '.webp',
} as const;

export type MediaType = keyof typeof FORMATS;

/** The names that the picker and the first clients may use for them. */
export const ALLOWED_TYPES = ['image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/webp'] as const;
export const ALLOWED_EXTENSIONS = ['.jpg', '.jpeg', '.png', '.gif', '.webp'] as const;

/** The messages for refused files. The form shows the first two as well. */
export const INVALID_TYPE = 'Invalid file type. Please use JPEG, PNG, GIF, or WebP.';
export const FILE_TOO_LARGE = 'File too large. Maximum size is 100MB.';
export const EMPTY_FILE = 'This file is empty.';
export const BROKEN_PHOTO = 'This photograph is broken or incomplete, and cannot be shown.';
export const UNREADABLE = 'This photograph can no longer be read on this device. Please remove it and choose it again.';
export const TOO_MANY_FRAMES = 'This animation has too many frames to be shown.';
export const TOO_MANY_PIXELS = 'This photograph has too many pixels to be shown.';

export const SIZES = ['original', 'preview', 'thumbnail'] as const;
export type Size = (typeof SIZES)[number];
