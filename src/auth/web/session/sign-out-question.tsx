import { Link } from 'wouter';
import { plural } from '../../../base/text.ts';
import { keptCalls } from '../../../base/web/outbox.ts';
import type { Question } from '../../../kit/web/feedback/confirm.tsx';
import { paths } from '../../../paths.ts';

/**
 * The question before a sign-out that would lose something of this user's: what waits in the outbox, and camera shots
 * that were not sent. Null where there is nothing to lose.
 */
export async function questionOf(
  userId: string,
  countShots: (userId: string) => Promise<number>,
): Promise<Question | null> {
  const [unsent, shots] = await Promise.all([
    keptCalls(userId).then(
      ({ length }) => length,
      () => 0,
    ),
    countShots(userId).catch(() => 0),
  ]);
  if (unsent === 0 && shots === 0) return null;
  const said = [
    unsent > 0 && 'What we added while we were offline is not sent yet.',
    shots > 0 && `${plural(shots, 'photo')} taken here ${shots === 1 ? 'is' : 'are'} not sent yet.`,
    'Are you sure you want to sign out?',
  ];
  return {
    question: said.filter(Boolean).join(' '),
    detail: <>Signing out leaves nothing on this device: it would be lost. {shots > 0 && <SendFirst />}</>,
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
