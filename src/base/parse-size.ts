const UNITS = ['', 'KB', 'MB', 'GB', 'TB'];

/**
 * Parses a size: plain bytes, or a number with KB, MB, GB or TB, 1024-based and without regard to case: '512', '20GB',
 * '1.5 TB'.
 * @returns whole bytes, or null if it isn't a size
 */
export function parseSize(text: string): number | null {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGT]B)?$/i.exec(text.trim()) ?? [];
  if (number === undefined || (unit === '' && number.includes('.'))) return null;
  const bytes = Math.floor(Number(number) * 1024 ** UNITS.indexOf(unit.toUpperCase()));
  return Number.isSafeInteger(bytes) ? bytes : null;
}
