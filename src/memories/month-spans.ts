import { startOfDay } from '../base/calendar-days.ts';
import { dayOf } from '../base/instants.ts';

/** A calendar month ('2026-11') of a zone: its first instant and that of the next month, in milliseconds. */
export interface MonthSpan {
  readonly month: string;
  readonly from: number;
  readonly until: number;
}

/** The most months at once: fifty years. */
const MAX_MONTHS = 600;

/** The months of a zone from one instant to another, earliest first, and at most the first fifty years of them. */
export function monthsBetween(first: number, last: number, zone: string): MonthSpan[] {
  const spans: MonthSpan[] = [];
  let month = Temporal.PlainYearMonth.from(dayOf(first, zone).slice(0, 7));
  let from = startOfMonth(month, zone);
  while (from <= last && spans.length < MAX_MONTHS) {
    const next = month.add({ months: 1 });
    const until = startOfMonth(next, zone);
    spans.push({ month: month.toString(), from, until });
    month = next;
    from = until;
  }
  return spans;
}

function startOfMonth(month: Temporal.PlainYearMonth, zone: string): number {
  return startOfDay(`${month.toString()}-01`, zone);
}
