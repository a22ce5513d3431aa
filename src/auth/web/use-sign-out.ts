import { mayLeave } from '../../base/web/guards.ts';
import { useConfirm } from '../../base/web/ui/confirm.tsx';
import { useUser } from './session.ts';
import { signOut } from './who.ts';

/** Signs out when asked to: unsaved work is asked about first, and what was added offline and would go with the session. */
export function useSignOut(): () => void {
  const confirm = useConfirm();
  const { id } = useUser();
  const leave = async () => {
    if (!(await mayLeave())) return;
    const unsent = await import('../../base/web/outbox.ts').then(({ keptCalls }) => keptCalls(id)).catch(() => []);
    const sure =
      unsent.length === 0 ||
      (await confirm({
        question: 'What we added while we were offline is not sent yet. Are you sure you want to sign out?',
        detail: 'Signing out leaves nothing on this device: it would be lost.',
        verb: 'Sign out',
        keep: 'Stay',
      }));
    if (sure) await signOut();
  };
  return () => void leave();
}
