/** Returns a count with its noun: `1 idea`, `2 ideas`. Pass `many` for an irregular plural. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Formats a size, 1024-based with one decimal: '512 bytes', '4.0 KB', '2.3 MB'. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return plural(bytes, 'byte');
  let value = bytes / 1024;
  let unit = 'KB';
  for (const next of ['MB', 'GB', 'TB']) {
    // Use the next unit for a value that would round to 1024.0.
    if (value < 1023.95) break;
    value /= 1024;
    unit = next;
  }
  return `${value.toFixed(1)} ${unit}`;
}

/** Formats a whole number: '1,204', for every user. */
export function numberText(number: number): string {
  return number.toLocaleString('en-US');
}
