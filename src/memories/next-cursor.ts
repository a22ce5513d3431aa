/** The cursor of the next page from a `Link` header, or null on the last page. */
export function nextCursor(link: string | null): string | null {
  const next = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  const cursor = next?.match(/[?&]cursor=([^&#]+)/)?.[1];
  return cursor === undefined ? null : decodeURIComponent(cursor);
}
