import { Link } from 'wouter';
import { plural } from '../../../base/number-texts.ts';
import { countUnsent, type OwnAndOthers, type Unsent } from '../../../base/web/storage/count-unsent.ts';
import { withTimeout } from '../../../base/web/storage/device-database.ts';
import type { Question } from '../../../kit/web/feedback/confirm.tsx';
import { paths } from '../../../paths.ts';
import type { UnsentShotsCounter } from './unsent-shots-counter.ts';

/** What the user is about to do, which loses what is not sent. */
export interface LosingStep {
  /** 'Are you sure you want to sign out?' */
  readonly sure: string;
  /** Why it is lost. */
  readonly why: string;
  readonly verb: string;
}

const NOTHING: OwnAndOthers = { own: 0, others: 0 };
/** Counting fails if the browser stores nothing. */
const NOTHING_UNSENT: Unsent = { calls: NOTHING, notes: NOTHING, sealed: NOTHING };

/**
 * Finds the question to ask before a step that would lose unsent work of the users of this device: entries in the outbox,
 * notes of dates, and unsent camera shots.
 * @returns null if nothing would be lost. A database that does not open may hold photos, but must not keep the user
 *   signed in.
 */
export async function findUnsentQuestion(
  userId: string,
  countShots: UnsentShotsCounter,
  step: LosingStep,
): Promise<Question | null> {
  const [words, counted] = await Promise.all([
    withTimeout(countUnsent(userId).catch(() => NOTHING_UNSENT)),
    countShots(userId).catch(() => null),
  ]);
  const { calls, notes, sealed } = words ?? NOTHING_UNSENT;
  const shots = counted ?? NOTHING;
  const all = [calls, notes, sealed, shots];
  const [own, others] = [sum(all.map((one) => one.own)), sum(all.map((one) => one.others))];
  if (own + others === 0 && counted !== null && words !== undefined) return null;
  const sentences = [
    allOf(calls) > 0 && 'What we added while offline has not been sent yet.',
    allOf(notes) > 0 && `${have(allOf(notes), 'note', ' typed during a date')} not been saved yet.`,
    allOf(sealed) > 0 && `${have(allOf(sealed), 'note')} not been sealed yet.`,
    allOf(shots) > 0 && `${have(allOf(shots), 'photo', ' taken here')} not been sent yet.`,
    words === undefined && 'We couldn’t check whether all notes have been saved.',
    counted === null && 'We couldn’t check whether photos taken here have been sent.',
    others > 0 && `${own === 0 ? 'All' : 'Some'} of this is from another person who signed in on this device.`,
    step.sure,
  ];
  return {
    question: sentences.filter(Boolean).join(' '),
    detail: (
      <>
        {step.why} {others > 0 && 'The other person can sign in here to send theirs. '}
        {shots.own > 0 && <SendFirst />}
      </>
    ),
    verb: step.verb,
    keep: 'Stay',
  };
}

const allOf = ({ own, others }: OwnAndOthers) => own + others;
const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

/** '1 note has', '2 photos taken here have' */
const have = (count: number, thing: string, where = '') =>
  `${plural(count, thing)}${where} ${count === 1 ? 'has' : 'have'}`;

function SendFirst() {
  return (
    <Link href={paths.upload} onClick={(event) => event.currentTarget.closest('dialog')?.close('')}>
      Send them first
    </Link>
  );
}
