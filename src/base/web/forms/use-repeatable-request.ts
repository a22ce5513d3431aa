import { useRef } from 'react';
import { uuidv4 } from 'uuidv7';
import { type RepeatableRequest, repeatOrMake } from '../../repeatable-request.ts';
import { asApiError } from '../net/api-error.ts';

/**
 * Returns a function that sends what a form creates. Until it is answered, the same words are sent with the same body and
 * key. After a refusal the body is made again.
 */
export function useRepeatableRequest<Body>() {
  const last = useRef<RepeatableRequest<Body>>(undefined);
  return async <R>(
    what: unknown,
    makeBody: () => Body,
    send: (request: RepeatableRequest<Body>) => Promise<R>,
  ): Promise<R> => {
    const request = repeatOrMake(last.current, what, uuidv4(), makeBody);
    last.current = request;
    try {
      return await send(request);
    } catch (error) {
      if (asApiError(error).isRefusal) last.current = undefined;
      throw error;
    }
  };
}
