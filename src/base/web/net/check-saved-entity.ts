import { unreachableError } from './api-error.ts';

/**
 * Whether an answer is an entity of ours. Something between here and the server may answer with success too, such as a
 * proxy, and what is saved is deleted on this device.
 */
export function hasId(answer: unknown): boolean {
  return typeof (answer as { readonly id?: unknown } | null)?.id === 'string';
}

/** Returns the answer to a write. @throws ApiError as if no answer had arrived, if it is no entity of ours */
export function asSaved<T>(answer: T): T {
  if (!hasId(answer)) throw unreachableError();
  return answer;
}

/** The entity of an answer with its version. @throws ApiError as if no answer had arrived, if it is no entity of ours */
export function versioned<T>({ body, etag }: { readonly body: T; readonly etag: string | null }) {
  return { entity: asSaved(body), etag };
}
