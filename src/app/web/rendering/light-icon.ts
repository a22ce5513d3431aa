import { createElement, type ReactElement, type SVGProps } from 'react';

/** What a file of lucide holds: strokes of an icon on a square of `size`. */
interface IconData {
  readonly name: string;
  readonly size?: number;
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/**
 * Makes an icon of lucide's drawing. vite.config.ts puts it in the place of lucide's own maker, whose options we use
 * none of: they weigh 1.4 KB on the first page, and are worked through again for every icon at every drawing.
 */
export default function createIcon({
  name,
  size = 24,
  node,
}: IconData): (props: SVGProps<SVGSVGElement>) => ReactElement {
  const strokes = node.map(([tag, attributes]) => createElement(tag, attributes));
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
        // The words beside it say it all.
        'aria-hidden': rest['aria-label'] === undefined ? true : undefined,
        ...rest,
      },
      strokes,
    );
}
