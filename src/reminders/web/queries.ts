import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Reply } from '../../base/call.ts';
import { client } from '../../base/web/api.ts';
import type { reminderCalls } from '../contract.ts';
import type { ReminderChoices } from '../rules.ts';
import { subscribe, unsubscribe } from './subscribe.ts';

const api = client<typeof reminderCalls>();
const key = ['reminders'] as const;

export type Reminders = Reply<(typeof reminderCalls)['GET /api/reminders']>;

/** What this user is reminded of, and whether this device is told. */
export function useReminders() {
  return useQuery({ queryKey: key, queryFn: ({ signal }) => api('GET /api/reminders', {}, { signal }) });
}

/** Turns one kind on or off: shown at once, taken back where it fails. */
export function useChoose() {
  const queries = useQueryClient();
  const show = (choices: Partial<ReminderChoices>) =>
    queries.setQueryData<Reminders>(key, (now) => now && { ...now, choices: { ...now.choices, ...choices } });
  return useMutation({
    mutationFn: (choices: Partial<ReminderChoices>) => api('PUT /api/reminders', { body: choices }),
    onMutate: (choices) => {
      show(choices);
    },
    onSuccess: show,
    onError: () => queries.invalidateQueries({ queryKey: key }),
  });
}

/** Tells this device from now on, or no more; answers whether it is told. */
export function useSubscription(publicKey: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (on: boolean) => {
      if (!on) {
        await api('DELETE /api/reminders/device');
        await unsubscribe().catch(() => undefined);
        return false;
      }
      const device = await subscribe(publicKey);
      if (device) await api('PUT /api/reminders/device', { body: device });
      return device !== null;
    },
    onSuccess: (subscribed) => queries.setQueryData<Reminders>(key, (now) => now && { ...now, subscribed }),
  });
}
