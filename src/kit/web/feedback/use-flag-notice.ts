import { useEffect, useEffectEvent } from 'react';
import { useSearchFlag } from '../../../base/web/navigation/search-params.ts';
import { useNotify } from './notices.tsx';

/** Shows a status notice once if the address has the flag, such as `?updated=true` after a save (ideas.list.12). */
export function useFlagNotice(flag: string, text: string): boolean {
  const set = useSearchFlag(flag);
  const notify = useNotify();
  const say = useEffectEvent(() => notify.status(text));
  useEffect(() => {
    if (set) say();
  }, [set]);
  return set;
}
