import type { PlannedDate } from '../../src/dates/contract.ts';
import type { NotesOfDate } from '../../src/notes/contract.ts';
import type { Result } from '../../tests/support/caller.ts';
import type { Partner } from '../../tests/support/partner.ts';
import type { LedgerEntry, Outcome } from './ledger.ts';

/** What a couple requested, and what became of it. */
export type EffectKind = 'idea' | 'date' | 'edit' | 'completion' | 'photograph' | 'note';

interface Effect extends LedgerEntry {
  readonly kind: EffectKind;
  created: Outcome;
  deleted: Outcome | null;
  /** Of a photograph's bytes. */
  readonly sha256?: string;
}

/** An acknowledged change, which an open page of the second partner must receive. */
export interface AnnouncedChange {
  readonly id: string;
  /** When the request was sent, by `performance.now()`. */
  readonly sentAt: number;
}

export interface Couple {
  readonly partners: readonly [Partner, Partner];
  readonly effects: Effect[];
  readonly changes: AnnouncedChange[];
}

/** A request, to be sent until it is acknowledged. */
export interface Step<T> {
  readonly request: () => Promise<Result<T>>;
  /** See `PersistentSender.send`. */
  readonly settle?: () => Promise<Result<T> | null>;
  readonly label?: string;
  readonly sha256?: string;
  /** The date that it changes, if its answer has no id. */
  readonly dateId?: string;
}

/** One date of one client. Its label is unique. */
export class ClientDate {
  readonly couple: Couple;
  readonly who: Partner;
  readonly partner: Partner;
  readonly label: string;
  /** Whether its date is a surprise that is not revealed. */
  isSecret = false;

  constructor(couple: Couple, who: Partner, label: string) {
    const [first, second] = couple.partners;
    this.couple = couple;
    this.who = who;
    this.partner = who === first ? second : first;
    this.label = label;
  }

  /** Whether the second partner's page receives its changes. */
  get reachesPage(): boolean {
    return !this.isSecret || this.who === this.couple.partners[1];
  }

  /** Adds an effect whose request is about to be sent. */
  expect(kind: EffectKind, label: string, sha256?: string): Effect {
    const effect: Effect = { kind, label, created: 'unknown', deleted: null, ...(sha256 ? { sha256 } : {}) };
    this.couple.effects.push(effect);
    return effect;
  }

  /** Records that the second edit replaces the first one, as far as it was acknowledged. */
  replaceEdit(first: string, second: string): void {
    const find = (label: string) => this.couple.effects.find((each) => each.kind === 'edit' && each.label === label);
    const replaced = find(first);
    if (replaced) replaced.deleted = find(second)?.created ?? null;
  }

  /**
   * An edit of the newest version: each attempt reads it first. One that finds its own text writes it again all the same,
   * because only the answer to a write is an acknowledgment (`PersistentSender.send`).
   */
  edit(id: string, plan: { plannedDateTime: string; location: string }, notes: string) {
    const { plannedDateTime, location } = plan;
    const body = { plannedDateTime, location, notes };
    return {
      label: notes,
      request: async () => {
        const before = await this.who.call('GET /api/PlannedDates/{id}', { params: { id } });
        if (before.status !== 200) return before;
        const headers = { 'if-match': before.headers.get('etag') ?? '' };
        return this.who.call('PUT /api/PlannedDates/{id}', { params: { id }, body }, { headers });
      },
      // After a 412 the next attempt reads the new version.
      settle: async () => null,
    } satisfies Step<PlannedDate>;
  }

  /** Reads a date. Null if it isn't as expected. Throws without an answer. */
  async readDate(id: string, isExpected: (date: PlannedDate) => boolean): Promise<Result<PlannedDate> | null> {
    const answer = await this.who.call('GET /api/PlannedDates/{id}', { params: { id } });
    if (answer.status !== 200) throw new Error(`${answer.status}`);
    return isExpected(answer.body) ? answer : null;
  }
}

/** Writes a partner's note of a date. */
export function noteOf(who: Partner, dateId: string, text: string): Step<NotesOfDate> {
  const params = { id: dateId };
  return {
    label: text,
    dateId,
    request: () => who.call('PUT /api/PlannedDates/{id}/notes/mine', { params, body: { text } }),
    settle: async () => {
      const answer = await who.call('GET /api/PlannedDates/{id}/notes', { params });
      if (answer.status !== 200) throw new Error(`${answer.status}`);
      return answer.body.mine?.text === text ? answer : null;
    },
  };
}
