import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from '../../base/call.ts';
import type { reminderCalls } from '../contract.ts';
import type { ReminderChoices } from '../rules.ts';
import { reminderApi } from './api.ts';
import { subscribe, unsubscribe } from './subscribe.ts';

const key = ['reminders'] as const;

export type Reminders = Reply<(typeof reminderCalls)['GET /api/reminders']>;

/** The user's choices, and whether this device is subscribed. */
export function useReminders() {
  return useQuery({ queryKey: key, queryFn: ({ signal }) => reminderApi('GET /api/reminders', {}, { signal }) });
}

/** Turns one kind on or off, with an optimistic update. */
export function useChoose() {
  const queryClient = useQueryClient();
  const show = (choices: Partial<ReminderChoices>) =>
    queryClient.setQueryData<Reminders>(key, (now) => now && { ...now, choices: { ...now.choices, ...choices } });
  return useMutation({
    mutationFn: (choices: Partial<ReminderChoices>) => reminderApi('PUT /api/reminders', { body: choices }),
    onMutate: (choices) => {
      show(choices);
    },
    onSuccess: show,
    onError: () => queryClient.invalidateQueries({ queryKey: key }),
  });
}

/** Subscribes or unsubscribes this device. Resolves to whether it is subscribed. */
export function useSubscription(publicKey: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (on: boolean) => {
      if (!on) {
        await reminderApi('DELETE /api/reminders/device');
        await unsubscribe().catch(() => undefined);
        return false;
      }
      const device = await subscribe(publicKey);
      if (device) await reminderApi('PUT /api/reminders/device', { body: device });
      return device !== null;
    },
    onSuccess: (subscribed) => queryClient.setQueryData<Reminders>(key, (now) => now && { ...now, subscribed }),
  });
}
