import { unreachableError } from './api-error.ts';

let token: string | null = null;
/** When the page got the token, in milliseconds. */
let since = 0;
let signedOut: () => void = () => undefined;
let renew: () => Promise<void> = async () => undefined;
let isSignedIn: () => boolean = () => false;

/** Sets the bearer token. It is only in memory, so that an injected script finds no lasting secret. */
export function setToken(next: string | null): void {
  token = next;
  since = Date.now();
}

/**
 * Sets the function that renews the token. It calls `setToken`, or leaves the token unchanged if it fails.
 * @param signedIn whether a user is signed in. A page that opened while the server was away then has no token yet.
 */
export function renewBy(next: () => Promise<void>, signedIn: () => boolean): void {
  renew = next;
  isSignedIn = signedIn;
}

/** A token is valid for an hour. Calls renew one that is older than this, for example after the device slept. */
const FRESH_MS = 50 * 60_000;

/** Renews the token if it is about to expire, and gets one for a page that shows what was last seen. */
export async function renewStaleToken(): Promise<void> {
  if (token === null ? isSignedIn() : Date.now() - since > FRESH_MS) await renew();
}

/**
 * Makes a call with the token. After a 401 it renews the token and retries once; a second 401 signs the user out.
 * @throws ApiError if the server can't be reached to renew the token, and the errors of `ask`
 */
export async function authorized<T extends { readonly status: number }>(
  ask: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  await renewStaleToken();
  const used = token;
  if (used === null && isSignedIn()) throw unreachableError();
  const answer = await ask(authorization());
  if (answer.status !== 401 || used === null) return answer;
  // Of several calls with a 401, only the first one renews the token.
  if (token === used) await renew();
  if (token === used) throw unreachableError();
  if (token === null) return answer;
  const fresh = token;
  const second = await ask(authorization());
  if (second.status === 401 && token === fresh) {
    token = null;
    signedOut();
  }
  return second;
}

/** Whether this page has a token. */
export function hasToken(): boolean {
  return token !== null;
}

/** Returns the Authorization header, for requests outside this client. */
export function authorization(): Readonly<Record<string, string>> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Sets the callback for the end of the session. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}
