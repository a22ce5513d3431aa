/** A field's counter, 'n / 200', and whether the limit is exceeded. Some forms have it without spaces. */
export function counter(length: number, limit: number, between: ' / ' | '/' = ' / ') {
  return { counter: `${length}${between}${limit}`, over: length > limit };
}
