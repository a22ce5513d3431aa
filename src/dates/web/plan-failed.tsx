import { useCreateKey } from '../../base/web/forms/use-create-key.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import { isNotFound } from '../../base/web/net/not-found.ts';
import type { DateIdea } from '../../ideas/contract.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { INACTIVE, MAKE_ACTIVE } from './inactive-idea.tsx';
import { ADD_IDEA_AGAIN, IDEA_DELETED } from './missing-idea.tsx';
import css from './plan-page.module.css';
import { useAddAgain } from './use-add-again.ts';
import { useIdeaActivation } from './use-idea-activation.ts';

/** Why a date could not be planned. */
export interface PlanFailure {
  readonly text: string;
  /** What is wrong with the idea, if that is the reason. */
  readonly idea?: 'deleted' | 'inactive';
}

const DELETED_IDEA: PlanFailure = { text: IDEA_DELETED, idea: 'deleted' };

export function planFailureOf(error: unknown): PlanFailure {
  const { status, serverMessage, retryAfter } = asApiError(error);
  if (status === 404) return DELETED_IDEA;
  // With `Retry-After`, an earlier attempt is still running.
  if (status === 409 && retryAfter === null) return { text: INACTIVE, idea: 'inactive' };
  return { text: (status === 400 ? serverMessage : null) ?? 'Failed to plan date. Please try again.' };
}

export interface PlanFailedProps {
  readonly idea: DateIdea;
  readonly failure: PlanFailure | null;
  readonly onFailure: (failure: PlanFailure | null) => void;
  /** Takes what was typed along to the path of the form for the idea that was added again. */
  readonly carry: (path: string) => void;
  readonly onActive: () => void;
}

/** Says why the date could not be planned. If that is due to its idea, one press brings the idea back. */
export function PlanFailed({ idea, failure, onFailure, carry, onActive }: PlanFailedProps) {
  const { addAgain, isAdding } = useAddAgain(useCreateKey(), carry);
  const activation = useIdeaActivation(idea.id);
  const activate = () =>
    activation.mutate(null, {
      onSuccess: onActive,
      onError: (error) => isNotFound(error) && onFailure(DELETED_IDEA),
    });
  return (
    <Banner
      onDismiss={() => onFailure(null)}
      more={
        <>
          What you wrote is still here.
          {failure?.idea === 'deleted' && (
            <Button className={css.remedy} busy={isAdding} onClick={() => addAgain(idea)}>
              {ADD_IDEA_AGAIN}
            </Button>
          )}
          {failure?.idea === 'inactive' && (
            <Button className={css.remedy} busy={activation.isPending} onClick={activate}>
              {MAKE_ACTIVE}
            </Button>
          )}
        </>
      }
    >
      {failure?.text}
    </Banner>
  );
}
