import type { CSSProperties } from 'react';

/** Class names that hold, joined; what is empty or false is left out. `undefined` where none holds. */
export function cx(...names: (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}

/** The style that names an element for view transitions; nothing where there is no name. */
export function morphing(name: string | undefined): CSSProperties | undefined {
  return name ? { viewTransitionName: name } : undefined;
}
