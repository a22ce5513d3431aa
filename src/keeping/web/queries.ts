import { useQuery } from '@tanstack/react-query';
import { client } from '../../base/web/api.ts';
import type { keepingCalls } from '../contract.ts';

/** The calls of keeping safe. */
export const keepingApi = client<typeof keepingCalls>();

/** When our story was backed up, and whether every photograph is as it was. */
export function useKeeping() {
  return useQuery({ queryKey: ['keeping'], queryFn: () => keepingApi('GET /api/keeping') });
}
