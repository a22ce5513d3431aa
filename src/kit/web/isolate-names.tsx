import type { ReactNode } from 'react';

/**
 * A sentence whose names, places and titles are isolated: one from right to left changes the order of its own words only.
 * @param names in the order of the sentence
 */
export function isolateNames(sentence: string, ...names: readonly string[]): ReactNode {
  const parts: ReactNode[] = [];
  let rest = sentence;
  for (const [index, name] of names.entries()) {
    const at = rest.indexOf(name);
    if (at < 0) continue;
    parts.push(rest.slice(0, at), <bdi key={index}>{name}</bdi>);
    rest = rest.slice(at + name.length);
  }
  return [...parts, rest];
}
