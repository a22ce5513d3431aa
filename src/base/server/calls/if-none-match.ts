/** Whether an `If-None-Match` header matches a tag, by weak comparison. */
export function hasTagOfIfNoneMatch(header: string | undefined, tag: string): boolean {
  const tags = (header ?? '').split(',').map((text) => text.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}
