import { useQuery } from '@tanstack/react-query';
import { createClient } from '../../base/web/net/api-client.ts';
import type { keepingCalls } from '../contract.ts';

/** Calls the API of this slice. */
export const keepingApi = createClient<typeof keepingCalls>();

/** The state of backups, scrub and sweep. */
export function useKeeping() {
  return useQuery({ queryKey: ['keeping'], queryFn: () => keepingApi('GET /api/keeping') });
}
