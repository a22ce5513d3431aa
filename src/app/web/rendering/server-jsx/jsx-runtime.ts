import type { CSSProperties, Key } from 'react';
import * as react from 'react/jsx-runtime';

/**
 * React's JSX runtime for the server build. The Content-Security-Policy forbids `style` attributes, so an element's
 * style becomes `data-style`, which hydration applies (`applyStyles`). Its custom properties also become `data-`
 * attributes, which theme.css reads until hydration in browsers that support it.
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
    const custom = Object.entries(style).filter(([name]) => name.startsWith('--'));
    const attributes = Object.fromEntries(custom.map(([name, value]) => [`data-${name.slice(2)}`, value]));
    return create(type, { ...rest, ...attributes, 'data-style': JSON.stringify(style) }, key);
  };
}
