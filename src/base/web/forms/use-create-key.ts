import { useState } from 'react';
import { uuidv4 } from 'uuidv7';

/**
 * Returns a function for a create form's Idempotency-Key. The same body gets the same key, so that
 * a retry after a lost response creates nothing twice; another body gets a new key.
 */
export function useCreateKey(): (body: unknown) => string {
  const [held] = useState<{ body: string; key: string }>(() => ({ body: '', key: '' }));
  return (body) => {
    const text = JSON.stringify(body);
    if (held.key === '' || held.body !== text) Object.assign(held, { body: text, key: uuidv4() });
    return held.key;
  };
}
