import { useServerStatus } from '../queries.ts';

/** The OpenID provider of this server; null if it has none, or until that is known. */
export function useOidc(): { readonly name: string } | null {
  return useServerStatus().data?.oidc ?? null;
}
