import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../base/web/api.ts';
import { asApiError } from '../../base/web/async.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import type { authCalls } from '../contract.ts';
import { refusalText } from './account-form.ts';

/** The client of the auth slice's calls. */
export const authApi = client<typeof authCalls>();

/** The query keys of this slice. */
export const sessionKeys = {
  all: ['session'],
  status: ['session', 'status'],
  devices: ['session', 'devices'],
  passkeys: ['session', 'passkeys'],
  deletion: ['session', 'deletion'],
  recovery: ['session', 'recovery'],
  invitation: (code: string) => ['session', 'invitation', code],
} as const;

/** Whether registration is open. */
export function useRegistration() {
  return useQuery({ queryKey: sessionKeys.status, queryFn: () => authApi('GET /api/auth/status') });
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

/** The standing links for a new password that the partners have made for each other. */
export function useRecoveryLinks() {
  return useQuery({ queryKey: sessionKeys.recovery, queryFn: () => authApi('GET /api/auth/recovery') });
}

/** Stops these links, for both partners. One that is gone already is stopped too. */
export function useStopRecovery() {
  return useRecoveryCall(() => authApi('DELETE /api/auth/recovery'), 'The link is stopped');
}

/** Lets the link that the partner made for this user work at once. */
export function useAgreeToRecovery() {
  return useRecoveryCall(() => authApi('POST /api/auth/recovery/agree'), 'The link works now, for one hour');
}

function useRecoveryCall(send: () => Promise<null>, done: string) {
  const queries = useQueryClient();
  const notify = useNotify();
  return useMutation({
    mutationFn: send,
    onSuccess: () => notify.status(done),
    onError: (error) => {
      if (asApiError(error).status === 404) notify.status('The link no longer works');
      else notify.alert(`That failed. ${refusalText(asApiError(error))}`);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionKeys.recovery }),
  });
}
