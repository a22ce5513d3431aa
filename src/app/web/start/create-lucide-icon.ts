import { createElement, type ReactElement, type SVGProps } from 'react';

/** The contents of one lucide icon file: SVG elements in a square of `size`. */
interface IconData {
  readonly name: string;
  readonly size?: number;
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/**
 * Creates an icon component from lucide's data. vite.config.ts replaces lucide's own `createLucideIcon` with it: that
 * function adds 1.4 KB to the first page and evaluates options that we do not use on every render.
 */
export default function createLucideIcon({
  name,
  size = 24,
  node,
}: IconData): (props: SVGProps<SVGSVGElement>) => ReactElement {
  const elements = node.map(([tag, attributes]) => createElement(tag, attributes));
  return ({ className, ...rest }) =>
    createElement(
      'svg',
      {
        className: `lucide lucide-${name}${className ? ` ${className}` : ''}`,
        width: size,
        height: size,
        viewBox: `0 0 ${size} ${size}`,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        // Decorative unless it has its own label.
        'aria-hidden': rest['aria-label'] === undefined ? true : undefined,
        ...rest,
      },
      elements,
    );
}
