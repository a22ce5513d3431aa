import { useQuery } from '@tanstack/react-query';
import { client } from '../../base/web/api.ts';
import type { authCalls } from '../contract.ts';

/** The calls of accounts, sessions and the couple. */
export const authApi = client<typeof authCalls>();

/** The keys of what this slice keeps in the cache. */
export const sessionKeys = {
  all: ['session'],
  status: ['session', 'status'],
  devices: ['session', 'devices'],
  passkeys: ['session', 'passkeys'],
  deletion: ['session', 'deletion'],
  invitation: (code: string) => ['session', 'invitation', code],
} as const;

/** Whether somebody may register here. */
export function useRegistration() {
  return useQuery({ queryKey: sessionKeys.status, queryFn: () => authApi('GET /api/auth/status') });
}

/** Who invites by this code. Each look at a wrong one counts as a try, so it is not looked at again by itself. */
export function useInvitation(code: string) {
  return useQuery({
    queryKey: sessionKeys.invitation(code),
    queryFn: () => authApi('GET /api/auth/invitations/{code}', { params: { code } }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
  });
}

/** The devices on which this user is signed in. */
export function useDevices() {
  return useQuery({ queryKey: sessionKeys.devices, queryFn: () => authApi('GET /api/auth/sessions') });
}

/** The user's passkeys. */
export function usePasskeys() {
  return useQuery({ queryKey: sessionKeys.passkeys, queryFn: () => authApi('GET /api/auth/passkeys') });
}

/** Who asked that our space be deleted, and when it will be; null where nobody did. */
export function useDeletion() {
  return useQuery({ queryKey: sessionKeys.deletion, queryFn: () => authApi('GET /api/couple/deletion') });
}
