import 'react';

declare module 'react' {
  /** A component may hand a number to its stylesheet: `style={{ '--ar': '1.5' }}`. */
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
