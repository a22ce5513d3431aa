import type { ReactNode } from 'react';

/** The value of a fact, with a detail in small print. */
export function detailedFact(main: string, detail: ReactNode): ReactNode {
  return (
    <>
      {main}
      <small>{detail}</small>
    </>
  );
}
