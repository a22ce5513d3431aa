import { clockTime, longDate } from '../base/date-formats.ts';
import type { PlannedDate } from './contract.ts';

export const KEEP_FREE = 'Keep this evening free.';

/** 'A surprise from Elias.' @param name null if the partner has left */
export function surpriseFrom(name: string | null): string {
  return name === null ? 'A surprise.' : `A surprise from ${name}.`;
}

/** The sentence below 'Keep it a surprise': who will see what. @param partner null until one has joined */
export function keepSecretHint(partner: string | null): string {
  return `${whoSees(partner)} only the day and the time, until it begins or you tell.`;
}

function whoSees(partner: string | null): string {
  return partner === null ? 'Your partner, once here, sees' : `${partner} sees`;
}

/** The sentence below the unchecked box of a surprise that is being edited. */
export function tellHint(partner: string | null): string {
  return `Saving this tells ${partner ?? 'your partner'} what it is. It can’t be hidden again.`;
}

/** The line on the planner's own ticket. */
export function seenByPartnerText(partner: string | null): string {
  return `${whoSees(partner)} the day and the time, nothing else.`;
}

/** When a surprise of the partner opens, on its details page. @param planned milliseconds */
export function opensByItselfText(partner: string | null, planned: number, zone: string): string {
  const at = `${longDate(planned, zone)} at ${clockTime(planned, zone)}`;
  return `${partner ?? 'Your partner'} has planned this one. It opens by itself when it begins, at the latest on ${at}.`;
}

/** What screen readers announce when a surprise is unwrapped. @param from who planned it; null if it was the user */
export function unwrappedText({ dateIdea }: Pick<PlannedDate, 'dateIdea'>, from: string | null): string {
  return `${from === null ? 'Our surprise is open' : `The surprise from ${from} is open`}: ${dateIdea.title}.`;
}
