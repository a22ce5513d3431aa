import { useMutation } from '@tanstack/react-query';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import { useConfirm } from '../../kit/web/feedback/confirm.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { focusMain } from '../../kit/web/layout/focus-main.ts';
import type { PlannedDate } from '../contract.ts';
import { deleteDetail } from '../detail-texts.ts';
import { CANCEL_QUESTION, deleteQuestion } from '../question-texts.ts';
import type { ActionScreen } from '../shown-actions.ts';
import { dayAndTime } from '../time-texts.ts';
import type { ImmediateAction } from './action-button.tsx';
import { failureWithReason } from './explain-failure.ts';
import { useMemoryFeatures } from './memory-features.ts';
import { useChangeStatus, useDeleteDate } from './queries.ts';
import { useWent } from './went/use-went.ts';

/** 'We went!' is shown at once, with its own message. */
type AwaitedAction = Exclude<ImmediateAction, 'went'>;

const SUCCESS_TEXTS: Readonly<Record<AwaitedAction, string>> = {
  start: 'Our date has begun. Enjoy it!',
  cancel: 'Our date is cancelled.',
  delete: 'Our date is deleted.',
};

/**
 * The actions 'We went!', start, cancel and delete, with their questions, notices and the list's alert on failure
 * (dates.list.12). `pendingActionOf` returns the running action of a date.
 */
export function useDateActions(screen: ActionScreen, onDeleted?: () => void) {
  const notify = useNotify();
  const ask = useQuestion(screen);
  const restore = useMemoryFeatures()?.restore;
  const changeStatus = useChangeStatus();
  const deleteDate = useDeleteDate();
  const went = useWent();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ action, date: { id } }: { action: AwaitedAction; date: PlannedDate }) => {
      await (action === 'delete' ? deleteDate(id) : changeStatus({ id, change: action }));
    },
    onSuccess: (_, { action, date }) => {
      const undo = action === 'delete' && restore ? { label: 'Undo', run: () => restore(date.id) } : undefined;
      notify.status(SUCCESS_TEXTS[action], undo);
      focusMain();
      if (action === 'delete') onDeleted?.();
    },
    onError: (error, { action }) =>
      notify.alert(failureWithReason(`Failed to ${action} date. Please try again.`, asApiError(error))),
  });
  const pendingActionOf = ({ id }: PlannedDate) => (isPending && variables.date.id === id ? variables.action : null);
  const act = async (action: AwaitedAction, date: PlannedDate) => {
    if (pendingActionOf(date) === null && (await ask(action, date))) mutate({ action, date });
  };
  return {
    act: (action: ImmediateAction, date: PlannedDate) => (action === 'went' ? went(date) : void act(action, date)),
    pendingActionOf,
  };
}

/** Returns a function that asks before an action, with a line that names the date. Starting needs no question. */
function useQuestion(screen: ActionScreen) {
  const confirm = useConfirm();
  return (action: AwaitedAction, date: PlannedDate): Promise<boolean> => {
    if (action === 'start') return Promise.resolve(true);
    if (action === 'delete') {
      return confirm({ question: deleteQuestion(screen), detail: deleteDetail(date), verb: 'Delete' });
    }
    const detail = `‘${date.dateIdea.title}’, ${dayAndTime(date.plannedDateTime, deviceZone())}`;
    return confirm({ question: CANCEL_QUESTION, detail, verb: 'Cancel Date' });
  };
}
