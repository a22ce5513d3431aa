import { useQuery } from '@tanstack/react-query';
import { createClient } from '../../base/web/net/api-client.ts';
import type { authCalls } from '../contract.ts';

/** The client of the auth slice's calls. */
export const authApi = createClient<typeof authCalls>();

/** The query keys of this slice. */
export const sessionKeys = {
  all: ['session'],
  status: ['session', 'status'],
  devices: ['session', 'devices'],
  passkeys: ['session', 'passkeys'],
  deletion: ['session', 'deletion'],
  recovery: ['session', 'recovery'],
  invitation: (code: string) => ['session', 'invitation', code],
  confirmedEmail: (code: string) => ['session', 'confirmed email', code],
} as const;

/** Whether registration is open, and whether the server sends mail to users. */
export function useServerStatus() {
  return useQuery({ queryKey: sessionKeys.status, queryFn: () => authApi('GET /api/auth/status') });
}

/** Whether the server sends mail to users. False until that is known. */
export function useSendsMail(): boolean {
  return useServerStatus().data?.mail ?? false;
}

/** Fetches the inviter of a code. A wrong code counts as a failed attempt, so the query never refetches by itself. */
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

/** The pending request to delete the space, or null. */
export function useDeletion() {
  return useQuery({ queryKey: sessionKeys.deletion, queryFn: () => authApi('GET /api/couple/deletion') });
}
