import { useQuery } from '@tanstack/react-query';
import { authApi, sessionKeys } from '../queries.ts';

/** The OpenID provider of this server; null if it has none, or until that is known. */
export function useOidc(): { readonly name: string } | null {
  const { data } = useQuery({ queryKey: sessionKeys.status, queryFn: () => authApi('GET /api/auth/status') });
  return data?.oidc ?? null;
}
