import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY } from '../../src/base/durations.ts';
import type { Result } from '../../tests/support/caller.ts';
import { makeJpeg } from '../../tests/support/images.ts';
import type { Partner } from '../../tests/support/partner.ts';
import { upload } from '../../tests/support/upload.ts';
import { ClientDate, type Couple, type EffectKind, noteOf, type Step } from './client-date.ts';
import { PersistentSender, type Sent } from './persistent-sender.ts';

/** How often a client gives up after an unknown outcome. */
const IMPATIENCE = 0.1;
/** How many ideas and how many photographs are deleted at the end. */
const DELETED = 0.2;
/** How many of the dates are surprises. */
const SURPRISES = 0.5;

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

/**
 * A load of two clients per couple, which plan, edit, start, and complete dates, upload a photograph of each, write two
 * notes, and delete some ideas and photographs. Some dates are surprises until they start.
 */
export class CoupleLoad {
  readonly sender: PersistentSender;
  readonly couples: readonly Couple[];
  readonly #random: () => number;
  readonly #pauseMs: number;
  /** When each client was last acknowledged something. */
  readonly #acknowledgedAt = new Map<string, number>();
  #running: Promise<unknown> = Promise.resolve();
  #isStopping = false;

  /** @param pauseMs how long a client rests after each date */
  constructor(
    partners: readonly (readonly [Partner, Partner])[],
    random: () => number,
    pauseMs: number,
    sender = new PersistentSender(),
  ) {
    this.sender = sender;
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
    this.sender.stop();
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
      await this.#useDate(new ClientDate(couple, who, `${client}.${count}`), client);
      await sleep(this.#pauseMs);
    }
  }

  /** One date, from the idea to its photograph. Stops where a step was not acknowledged. */
  async #useDate(clientDate: ClientDate, client: string): Promise<void> {
    const { who, label } = clientDate;
    const send = async <T>(kind: EffectKind, step: Step<T>) => {
      const effect = clientDate.expect(kind, step.label ?? label, step.sha256);
      const sentAt = performance.now();
      const isImpatient = step.settle === undefined && this.#random() < IMPATIENCE;
      const what = `${kind} ${effect.label}`;
      const sent: Sent<T> = await this.sender.send(step.request, {
        what,
        isImpatient,
        ...(step.settle ? { settle: step.settle } : {}),
      });
      effect.created = sent.outcome;
      if (sent.result === null) return null;
      this.#acknowledgedAt.set(client, performance.now());
      const id = step.dateId ?? (sent.result.body as { id: string }).id;
      if (clientDate.reachesPage) clientDate.couple.changes.push({ id, sentAt });
      return sent.result;
    };

    const keys = [randomUUID(), randomUUID(), randomUUID()] as const;
    const body = { title: label, category: 'Food' } as const;
    const idea = await send('idea', { request: () => who.call('POST /api/DateIdeas', { body }, withKey(keys[0])) });
    if (idea === null) return;
    const plannedDateTime = new Date(Date.now() + DAY).toISOString();
    const surprise = this.#random() < SURPRISES;
    const plan = { dateIdeaId: idea.body.id, plannedDateTime, location: label, surprise };
    const date = await send('date', {
      request: () => who.call('POST /api/PlannedDates', { body: plan }, withKey(keys[1])),
    });
    if (date === null) return;
    clientDate.isSecret = surprise;
    const params = { id: date.body.id };
    const [first, second] = [`${label} first`, `${label} second`];
    if ((await send('edit', clientDate.edit(params.id, plan, first))) === null) return;
    const edited = await send('edit', clientDate.edit(params.id, plan, second));
    clientDate.replaceEdit(first, second);
    if (edited === null) return;
    const seed = Math.floor(this.#random() * 1_000_000_000);
    const photo = await makeJpeg({ seed, width: 300 });
    const form = { dateId: params.id, caption: label };
    const sha256 = createHash('sha256').update(photo).digest('hex');
    const memory = await send('photograph', { sha256, request: () => upload(who, photo, form, keys[2]) });
    if (surprise) await this.#expectHidden(clientDate, params.id);
    if (await this.#complete(clientDate, params.id, send)) await this.#writeNotes(clientDate, params.id, send);
    if (memory !== null && this.#random() < DELETED) await this.#delete(clientDate, 'photograph', memory.body.id);
    if (this.#random() < DELETED) await this.#delete(clientDate, 'idea', idea.body.id);
  }

  /** Deletes what a client has created. A 404 after an attempt without a clear answer says that it may be gone. */
  async #delete({ who, couple, label }: ClientDate, kind: 'idea' | 'photograph', id: string): Promise<void> {
    const effect = couple.effects.find((each) => each.kind === kind && each.label === label);
    if (!effect) return;
    effect.deleted = 'unknown';
    const name = kind === 'idea' ? 'DELETE /api/DateIdeas/{id}' : 'DELETE /api/Memories/{id}';
    let attempts = 0;
    let isGone = false;
    const request = async () => {
      attempts += 1;
      const answer = await who.call(name, { params: { id } });
      isGone = answer.status === 404 && attempts > 1;
      return isGone ? { ...answer, status: 204 } : answer;
    };
    const { outcome } = await this.sender.send(request, { what: `delete the ${kind} ${label}` });
    if (!isGone) effect.deleted = outcome;
  }

  /** Lets the partner look for what a surprise hides. Without an answer, it says nothing. */
  async #expectHidden({ partner, label }: ClientDate, id: string): Promise<void> {
    const answer = await partner.call('GET /api/PlannedDates/{id}', { params: { id } }).catch(() => null);
    if (answer?.status !== 200) return;
    const { location, notes, memoryCount, dateIdea } = answer.body;
    const isHidden = location === null && notes === null && memoryCount === 0 && dateIdea.id === null;
    if (!isHidden) this.sender.brokenPromises.push(`The partner was shown the surprise ${label}.`);
  }

  /** @returns whether it was acknowledged */
  async #complete(clientDate: ClientDate, id: string, send: Send): Promise<boolean> {
    const { who, label } = clientDate;
    const params = { id };
    const readAs = (...statuses: string[]) => clientDate.readDate(id, ({ status }) => statuses.includes(status));
    const started = await this.sender.send(() => who.call('POST /api/PlannedDates/{id}/start', { params }), {
      what: `start ${label}`,
      settle: () => readAs('InProgress'),
    });
    if (started.result === null) return false;
    clientDate.isSecret = false;
    const now = Date.now();
    const times = { actualStartTime: iso(now - 60_000), actualEndTime: iso(now - 1_000) };
    const completed = await send('completion', {
      request: () => who.call('POST /api/PlannedDates/{id}/complete', { params, body: times }),
      settle: () => readAs('Completed'),
    });
    return completed !== null;
  }

  /** Each partner writes a note. The first one is sealed until the second is there. */
  async #writeNotes({ who, partner, label }: ClientDate, id: string, send: Send): Promise<void> {
    const [first, second] = [`${label} first note`, `${label} second note`];
    const sealed = await send('note', noteOf(who, id, first));
    if (sealed === null) return;
    if (sealed.body.theirs !== null || sealed.body.revealed) this.sender.brokenPromises.push(`${first} is not sealed.`);
    const revealed = await send('note', noteOf(partner, id, second));
    if (revealed !== null && revealed.body.theirs?.text !== first)
      this.sender.brokenPromises.push(`${first} is not revealed by ${second}.`);
  }
}

type Send = <T>(kind: EffectKind, step: Step<T>) => Promise<Result<T> | null>;

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
