import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedDate } from '../../src/dates/contract.ts';
import type { Partner, Result } from '../../tests/support/client.ts';
import { makeJpeg } from '../../tests/support/images.ts';
import { upload } from '../../tests/support/uploads.ts';
import type { LedgerEntry, Outcome } from './ledger.ts';
import { Persistence, type Sent } from './persistence.ts';

/** What a couple requested, and what became of it. */
export type EffectKind = 'idea' | 'date' | 'edit' | 'completion' | 'photograph';

interface Effect extends LedgerEntry {
  readonly kind: EffectKind;
  created: Outcome;
  deleted: Outcome | null;
  /** Of a photograph's bytes. */
  readonly sha256?: string;
}

/** An acknowledged change, which the couple's open pages must hear about. */
export interface AnnouncedChange {
  readonly id: string;
  /** When the request was sent and when it was acknowledged, by `performance.now()`. */
  readonly sentAt: number;
  readonly acknowledgedAt: number;
}

export interface Couple {
  readonly partners: readonly [Partner, Partner];
  readonly effects: Effect[];
  readonly changes: AnnouncedChange[];
}

/** How often a client gives up after an unknown outcome. */
const IMPATIENCE = 0.1;
const DAY_MS = 86_400_000;

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

/** A load of two clients per couple, which plan, edit, start, and complete dates and upload a photograph of each. */
export class CoupleLoad {
  readonly persistence = new Persistence();
  readonly couples: readonly Couple[];
  readonly #random: () => number;
  readonly #pauseMs: number;
  /** When each client was last acknowledged something. */
  readonly #acknowledgedAt = new Map<string, number>();
  #running: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  /** @param pauseMs how long a client rests after each date */
  constructor(partners: readonly (readonly [Partner, Partner])[], random: () => number, pauseMs: number) {
    this.couples = partners.map((pair) => ({ partners: pair, effects: [], changes: [] }));
    this.#random = random;
    this.#pauseMs = pauseMs;
  }

  start(): void {
    const clients = this.couples.flatMap((couple, number) =>
      couple.partners.map((who, side) => this.#run(couple, who, `${number}${side === 0 ? 'a' : 'b'}`)),
    );
    this.#running = Promise.all(clients);
    // It is awaited in `stop`; until then, its failure is not unhandled.
    this.#running.catch(() => undefined);
  }

  /** Lets every client finish what it began. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.persistence.stop();
    await this.#running;
  }

  /**
   * Waits until every client was acknowledged something after an instant.
   * @returns how long that took after it, in milliseconds; null if it takes longer than `withinMs`
   */
  async untilAllServed(since: number, withinMs: number): Promise<number | null> {
    const isServed = (at: number) => at > since;
    while (!(this.#acknowledgedAt.size > 0 && [...this.#acknowledgedAt.values()].every(isServed))) {
      if (performance.now() - since > withinMs) return null;
      await sleep(50);
    }
    return Math.max(...this.#acknowledgedAt.values()) - since;
  }

  async #run(couple: Couple, who: Partner, client: string): Promise<void> {
    this.#acknowledgedAt.set(client, Number.NEGATIVE_INFINITY);
    for (let count = 0; !this.#isStopping; count += 1) {
      await this.#story(new Story(couple, who, `${client}.${count}`), client);
      await sleep(this.#pauseMs);
    }
  }

  /** One date, from the idea to its photograph. Stops where a step was not acknowledged. */
  async #story(story: Story, client: string): Promise<void> {
    const { who, label } = story;
    const send = async <T>(kind: EffectKind, step: Step<T>) => {
      const effect = story.expect(kind, step.label ?? label, step.sha256);
      const sentAt = performance.now();
      const isImpatient = step.settle === undefined && this.#random() < IMPATIENCE;
      const what = `${kind} ${effect.label}`;
      const sent: Sent<T> = await this.persistence.send(step.request, {
        what,
        isImpatient,
        ...(step.settle ? { settle: step.settle } : {}),
      });
      effect.created = sent.outcome;
      if (sent.result === null) return null;
      const acknowledgedAt = performance.now();
      this.#acknowledgedAt.set(client, acknowledgedAt);
      const { id } = sent.result.body as { id: string };
      story.couple.changes.push({ id, sentAt, acknowledgedAt });
      return sent.result;
    };

    const keys = [randomUUID(), randomUUID(), randomUUID()] as const;
    const body = { title: label, category: 'Food' } as const;
    const idea = await send('idea', { request: () => who.call('POST /api/DateIdeas', { body }, withKey(keys[0])) });
    if (idea === null) return;
    const plannedDateTime = new Date(Date.now() + DAY_MS).toISOString();
    const plan = { dateIdeaId: idea.body.id, plannedDateTime, location: label };
    const date = await send('date', {
      request: () => who.call('POST /api/PlannedDates', { body: plan }, withKey(keys[1])),
    });
    if (date === null) return;
    const params = { id: date.body.id };
    const [first, second] = [`${label} first`, `${label} second`];
    if ((await send('edit', story.edit(params.id, plan, first))) === null) return;
    const edited = await send('edit', story.edit(params.id, plan, second));
    story.replaceEdit(first, second);
    if (edited === null) return;
    const seed = Math.floor(this.#random() * 1_000_000_000);
    const photo = await makeJpeg({ seed, width: 300 });
    const form = { dateId: params.id, caption: label };
    const sha256 = createHash('sha256').update(photo).digest('hex');
    await send('photograph', { sha256, request: () => upload(who, photo, form, keys[2]) });
    await this.#complete(story, params.id, send);
  }

  async #complete(story: Story, id: string, send: Send): Promise<void> {
    const { who, label } = story;
    const params = { id };
    const readAs = (...statuses: string[]) => story.readDate(id, ({ status }) => statuses.includes(status));
    const started = await this.persistence.send(() => who.call('POST /api/PlannedDates/{id}/start', { params }), {
      what: `start ${label}`,
      settle: () => readAs('InProgress'),
    });
    if (started.result === null) return;
    const now = Date.now();
    const times = { actualStartTime: iso(now - 60_000), actualEndTime: iso(now - 1_000) };
    await send('completion', {
      request: () => who.call('POST /api/PlannedDates/{id}/complete', { params, body: times }),
      settle: () => readAs('Completed'),
    });
  }
}

type Send = <T>(kind: EffectKind, step: Step<T>) => Promise<Result<T> | null>;

interface Step<T> {
  readonly request: () => Promise<Result<T>>;
  readonly settle?: () => Promise<Result<T> | null>;
  readonly label?: string;
  readonly sha256?: string;
}

/** One date of one client. Its label is unique. */
class Story {
  readonly couple: Couple;
  readonly who: Partner;
  readonly label: string;

  constructor(couple: Couple, who: Partner, label: string) {
    this.couple = couple;
    this.who = who;
    this.label = label;
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

  /** An edit of the newest version: each attempt reads it first. */
  edit(id: string, plan: { plannedDateTime: string; location: string }, notes: string) {
    const { plannedDateTime, location } = plan;
    const body = { plannedDateTime, location, notes };
    return {
      label: notes,
      request: async () => {
        const before = await this.who.call('GET /api/PlannedDates/{id}', { params: { id } });
        if (before.status !== 200 || before.body.notes === notes) return before;
        const headers = { 'if-match': before.headers.get('etag') ?? '' };
        return this.who.call('PUT /api/PlannedDates/{id}', { params: { id }, body }, { headers });
      },
      settle: () => this.readDate(id, (date) => date.notes === notes),
    } satisfies Step<PlannedDate>;
  }

  /** Reads a date. Null if it isn't as expected. Throws without an answer. */
  async readDate(id: string, isExpected: (date: PlannedDate) => boolean): Promise<Result<PlannedDate> | null> {
    const answer = await this.who.call('GET /api/PlannedDates/{id}', { params: { id } });
    if (answer.status !== 200) throw new Error(`${answer.status}`);
    return isExpected(answer.body) ? answer : null;
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
