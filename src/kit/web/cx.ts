import type { CSSProperties } from 'react';

/** Joins class names, skipping empty and false ones. @returns undefined if none is left */
export function cx(...names: (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(' ') || undefined;
}

/** The style that names an element for view transitions, or undefined without a name. */
export function viewTransitionStyle(name: string | undefined): CSSProperties | undefined {
  return name ? { viewTransitionName: name } : undefined;
}
