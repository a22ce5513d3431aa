import { Refusal } from '../../../base/refusal.ts';
import type { AuthServices } from '../auth-services.ts';
import { type CodeRow, findUnusedCode } from '../one-time-code-store.ts';
import { hashOfSecret } from '../secrets.ts';

type OwnCode = CodeRow & { readonly forUser: NonNullable<CodeRow['forUser']> };

/** Finds the code of a mailed link, and whose it is. @throws Refusal 404, counted as a failed attempt of the address */
export function findMailedCode(
  { deps: { db, now }, rateLimits }: AuthServices,
  kind: 'email' | 'stopRecovery',
  code: string,
  address: string,
): Promise<OwnCode> {
  const find = async () => {
    const found = await findUnusedCode(db.read, kind, hashOfSecret(code), now());
    return found && found.forUser !== null ? { ...found, forUser: found.forUser } : null;
  };
  return rateLimits.attempt({ address }, find, invalidMailedLink());
}

export function invalidMailedLink(): Refusal {
  return new Refusal(404, 'This link is invalid, used or expired.');
}
