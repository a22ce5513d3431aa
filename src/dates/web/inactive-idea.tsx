import type { ReactNode } from 'react';
import { isNotFound } from '../../base/web/net/not-found.ts';
import type { DateIdea } from '../../ideas/contract.ts';
import type { Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { paths } from '../../paths.ts';
import { UnplannableIdea } from './unplannable-idea.tsx';
import { useIdeaActivation } from './use-idea-activation.ts';

export const INACTIVE = 'This idea is inactive. Make it active again to plan a date from it.';

export const MAKE_ACTIVE = 'Make it active again';

interface InactiveIdeaProps {
  readonly opened: Versioned<DateIdea>;
  readonly children: (idea: DateIdea) => ReactNode;
  /** Shown if it was deleted since. */
  readonly missing: ReactNode;
}

/** Offers to make an inactive idea active again, because the server refuses to plan it (home.dashboard.17). */
export function InactiveIdea({ opened, children, missing }: InactiveIdeaProps) {
  const { id, title } = opened.entity;
  const activation = useIdeaActivation(id);
  if (activation.data) return children(activation.data);
  if (isNotFound(activation.error)) return missing;
  return (
    <UnplannableIdea
      title={title}
      verb={MAKE_ACTIVE}
      busy={activation.isPending}
      onPress={() => activation.mutate(opened)}
      edit={paths.editIdea(id)}
    >
      {INACTIVE}
    </UnplannableIdea>
  );
}
