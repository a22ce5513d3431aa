import type { PlannedDate } from './contract.ts';

/** What the rules of a surprise need of a date. */
export type WithSurprise = Pick<PlannedDate, 'surprise'>;

/** Whether the user may know only the time of a date, because the partner keeps it a surprise. */
export function isHidden({ surprise }: WithSurprise): boolean {
  return surprise?.mine === false && !surprise.revealed;
}

/** Whether the user keeps a date a surprise for the partner. */
export function isOwnSecret({ surprise }: WithSurprise): boolean {
  return surprise?.mine === true && !surprise.revealed;
}

/** Whether a date is a surprise that nobody has unwrapped yet, on either side. */
export function isWrapped(date: WithSurprise): boolean {
  return isHidden(date) || isOwnSecret(date);
}
