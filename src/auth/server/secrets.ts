import { hash as digest, randomBytes } from 'node:crypto';

/** Generates a random secret as base64url text, for a header or an address. */
export function newSecret(bits: 128 | 256): string {
  return randomBytes(bits / 8).toString('base64url');
}

/** SHA-256 of a secret, in hex, for storage. Random bits need no salt and no slow hash. */
export function hashOfSecret(secret: string): string {
  return digest('sha256', secret, 'hex');
}
