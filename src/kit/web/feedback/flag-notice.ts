import { useEffect, useEffectEvent } from 'react';
import { useSearchFlag } from '../../../base/web/search-params.ts';
import { useNotify } from './notices.tsx';

/** Says once, as `role=status`, that the page was reached after something was done: `?updated=true` (spec 2). */
export function useFlagNotice(flag: string, text: string): boolean {
  const set = useSearchFlag(flag);
  const notify = useNotify();
  const say = useEffectEvent(() => notify.status(text));
  useEffect(() => {
    if (set) say();
  }, [set]);
  return set;
}
