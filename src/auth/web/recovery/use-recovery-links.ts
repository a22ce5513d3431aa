import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { authApi, sessionKeys } from '../queries.ts';
import { refusalText } from '../refusal-text.ts';

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
  const queryClient = useQueryClient();
  const notify = useNotify();
  return useMutation({
    mutationFn: send,
    onSuccess: () => notify.status(done),
    onError: (error) => {
      if (asApiError(error).status === 404) notify.status('The link no longer works');
      else notify.alert(`That failed. ${refusalText(asApiError(error))}`);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionKeys.recovery }),
  });
}
