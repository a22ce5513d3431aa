import { useRef } from 'react';
import { uuidv4 } from 'uuidv7';
import { type RepeatableRequest, repeatOrMake } from '../../repeatable-request.ts';

/**
 * Returns a function for a create form's Idempotency-Key. The same body gets the same key, so that
 * a retry after a lost response creates nothing twice; another body gets a new key.
 */
export function useCreateKey(): (body: unknown) => string {
  const last = useRef<RepeatableRequest<unknown>>(undefined);
  return (body) => {
    last.current = repeatOrMake(last.current, body, uuidv4(), () => body);
    return last.current.key;
  };
}
