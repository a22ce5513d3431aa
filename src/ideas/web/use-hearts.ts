import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../base/web/net/api-error.ts';
import { useChangeAndRefetch } from '../../base/web/queries/change-and-refetch.ts';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import type { Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { focusMain } from '../../kit/web/layout/focus-main.ts';
import type { DateIdea } from '../contract.ts';
import { ideaApi } from './api.ts';
import { ideaKeys } from './queries.ts';

const OFFLINE = 'We are offline, so this heart is not saved. Please press it again when we are online.';
const FAILED = 'Failed to save this heart. Please try again.';

/** A press of an idea's heart, to be saved. */
interface Press {
  readonly id: string;
  readonly isOn: boolean;
}

/**
 * Puts hearts on ideas and takes them back. A heart shows at once, and again as it was if it could not be saved. Presses
 * are sent one after the other, so that the last one counts.
 */
export function useHearts() {
  const notify = useNotify();
  /** The last press of each heart that is not saved yet, by idea. */
  const [pressed, setPressed] = useState<ReadonlyMap<string, Press>>(new Map());
  const save = useChangeAndRefetch({
    entity: 'dateIdea',
    change: ({ id, isOn }: Press) =>
      ideaApi(isOn ? 'PUT /api/DateIdeas/{id}/heart' : 'DELETE /api/DateIdeas/{id}/heart', { params: { id } }),
    idOf: ({ id }) => id,
    show: (queryClient, { id, hearts }) => {
      const update = (idea: DateIdea) => (idea.id === id ? { ...idea, hearts } : idea);
      for (const queryKey of [ideaKeys.active(), ideaKeys.every()]) {
        queryClient.setQueryData<DateIdea[]>(queryKey, (ideas) => ideas?.map(update));
      }
      queryClient.setQueryData<Versioned<DateIdea>>(
        ideaKeys.one(id),
        (one) => one && { ...one, entity: update(one.entity) },
      );
    },
    refetchesOnError: true,
  });
  const { mutate } = useMutation({
    scope: { id: 'hearts' },
    mutationFn: save,
    onError: (error) =>
      notify.alert(error instanceof ApiError && error.isUnanswered && !navigator.onLine ? OFFLINE : FAILED),
    // After a later press, the heart keeps showing that one.
    onSettled: (_saved, _error, settled) =>
      setPressed((before) => new Map([...before].filter(([, last]) => last !== settled))),
  });
  const press = (id: string, isOn: boolean) => {
    const last = { id, isOn };
    setPressed((before) => new Map([...before, [id, last]]));
    mutate(last);
  };
  return {
    /** The idea as its heart was pressed last. */
    withPressed: (idea: DateIdea): DateIdea => {
      const mine = pressed.get(idea.id)?.isOn;
      const known = idea.hearts;
      return mine === undefined ? idea : { ...idea, hearts: { mine, mutual: mine && known.mutual } };
    },
    /** Puts the user's heart on an idea, or takes it back. */
    toggle: (idea: DateIdea) => press(idea.id, !idea.hearts.mine),
    /** Takes back the heart of an idea whose card disappears by that, and offers to undo it. */
    takeBack: ({ id }: DateIdea) => {
      press(id, false);
      notify.status('Your heart is taken back.', { label: 'Undo', run: () => press(id, true) });
      // The focused button disappears with its card.
      focusMain();
    },
  };
}
