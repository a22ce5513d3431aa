import { createHmac, hash as digest, randomBytes } from 'node:crypto';

/** An opaque random secret of so many bits, as text for a header or an address. */
export function newSecret(bits: 128 | 256): string {
  return randomBytes(bits / 8).toString('base64url');
}

/** What is stored of a secret: its SHA-256, hex. Random bits need no salt and no slow hash. */
export function hashOfSecret(secret: string): string {
  return digest('sha256', secret, 'hex');
}

/** A secret of 256 bits that follows from another and a random key, and from neither alone. */
export function derivedSecret(key: string, secret: string): string {
  return createHmac('sha256', key).update(secret).digest('base64url');
}
