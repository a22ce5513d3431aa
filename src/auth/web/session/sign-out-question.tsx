import { Link } from 'wouter';
import { plural } from '../../../base/text.ts';
import { keptCalls, keptNotes } from '../../../base/web/outbox.ts';
import type { Question } from '../../../kit/web/feedback/confirm.tsx';
import { paths } from '../../../paths.ts';

/**
 * The question to ask before a sign-out that would lose unsent work: entries in the outbox, and unsent camera shots.
 * @returns null if nothing would be lost
 */
export async function signOutQuestion(
  userId: string,
  countShots: (userId: string) => Promise<number>,
): Promise<Question | null> {
  const [unsent, shots] = await Promise.all([
    Promise.all([keptCalls(userId), keptNotes(userId)]).then(
      ([calls, notes]) => calls.length + notes.length,
      () => 0,
    ),
    countShots(userId).catch(() => 0),
  ]);
  if (unsent === 0 && shots === 0) return null;
  const sentences = [
    unsent > 0 && 'What we added while offline has not been sent yet.',
    shots > 0 && `${plural(shots, 'photo')} taken here ${shots === 1 ? 'has' : 'have'} not been sent yet.`,
    'Are you sure you want to sign out?',
  ];
  return {
    question: sentences.filter(Boolean).join(' '),
    detail: <>Signing out clears this device, so this would be lost. {shots > 0 && <SendFirst />}</>,
    verb: 'Sign out',
    keep: 'Stay',
  };
}

function SendFirst() {
  return (
    <Link href={paths.upload} onClick={(event) => event.currentTarget.closest('dialog')?.close('')}>
      Send them first
    </Link>
  );
}
