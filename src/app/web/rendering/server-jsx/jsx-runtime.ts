import type { CSSProperties, Key } from 'react';
import * as react from 'react/jsx-runtime';
import { sizeAttributes } from './sizes.ts';

/**
 * React's JSX runtime for the server build. The Content-Security-Policy forbids `style` attributes, so an element's
 * style becomes `data-style`, which hydration applies (`applyStyles`). Until then, attributes carry the size that its
 * layout needs.
 */
export const jsx = withoutStyle(react.jsx);
export const jsxs = withoutStyle(react.jsxs);
export { Fragment } from 'react/jsx-runtime';

interface Props {
  readonly style?: CSSProperties;
}

function withoutStyle(create: typeof react.jsx): typeof react.jsx {
  return (type, props, key?: Key) => {
    const { style, ...rest } = props as Props;
    if (typeof type !== 'string' || style === undefined) return create(type, props, key);
    return create(type, { ...rest, ...sizeAttributes(style), 'data-style': JSON.stringify(style) }, key);
  };
}
