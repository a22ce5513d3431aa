import 'react';

declare module 'react' {
  /** Allows custom properties in `style`, so that a component can pass a value to its stylesheet: `{ '--ar': '1.5' }`. */
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
