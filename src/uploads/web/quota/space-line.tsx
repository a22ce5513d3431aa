import { useQuery } from '@tanstack/react-query';
import { memoryKeys } from '../../../memories/web/queries.ts';
import { uploadApi } from '../api.ts';
import { UsedSpace } from './used-space.tsx';

/** How much of its quota the couple uses, as far as the user may know; nothing without a quota (uploads.quota.6). */
export function SpaceLine() {
  const { data } = useQuery({
    queryKey: [...memoryKeys.all, 'used space'],
    queryFn: () => uploadApi('GET /api/Memories/upload-info'),
  });
  return data === undefined ? null : <UsedSpace {...data} />;
}
