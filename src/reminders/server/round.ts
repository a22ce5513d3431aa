import { hash as digest } from 'node:crypto';
import PQueue from 'p-queue';
import type { Change } from '../../base/change.ts';
import type { CoupleId } from '../../base/ids.ts';
import type { Deps } from '../../base/server/deps.ts';
import { formatInstant, MINUTE } from '../../base/time.ts';
import type { Notice } from '../notice.ts';
import { dueOf, HORIZON, isGathered, type ReminderKind } from '../rules.ts';
import {
  finish,
  forgetReminders,
  hold,
  knownReminders,
  putOff,
  queue,
  type Reminder,
  subjectOf as readSubject,
  type Waiting,
  waiting,
} from './queue.ts';
import { post } from './reach.ts';
import {
  addedPhotos,
  countAdded,
  datesAround,
  deleteDevice,
  partnerIsTold,
  readChoices,
  type ToldDevice,
  takeAdded,
  toldDevices,
} from './store.ts';
import { subjectOf, vapidKeys } from './vapid.ts';

const EVERY_MS = MINUTE;
const MOST_TRIES = 6;
const AT_ONCE = 6;
/** A photograph that was put back is older: nobody added it just now. */
const JUST_NOW_MS = 5 * MINUTE;
/** How long the news of photographs is of use. */
const NEWS_MS = 24 * 60 * MINUTE;

/** Looks each minute for what is due. What fails is logged, and looked at again. */
export function startReminders(deps: Deps): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = running
      .then(() => remind(deps))
      .catch((error: unknown) => deps.log.error({ err: error }, 'reminders failed'));
  };
  // The keys are made at the first start, so that every later one has the same.
  running = vapidKeys(deps).then(
    () => undefined,
    (error: unknown) => deps.log.error({ err: error }, 'the push keys could not be made'),
  );
  const timer = setInterval(run, EVERY_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** One round: what has become due is queued, once for each device, and what is queued is sent. */
export async function remind(deps: Deps): Promise<void> {
  const devices = await toldDevices(deps.db.read, deps.now());
  if (devices.length > 0) {
    await queueDates(deps, devices);
    await queuePhotographs(deps, devices);
  }
  await sendWaiting(deps);
}

function dateKey(kind: ReminderKind, date: { readonly id: string; readonly plannedDateTime: number }): string {
  // One that is moved is spoken of again.
  return `${kind} ${date.id} ${date.plannedDateTime}`;
}

async function queueDates({ db, now }: Deps, devices: readonly ToldDevice[]): Promise<void> {
  const at = now();
  const byCouple = Map.groupBy(devices, ({ coupleId }) => coupleId);
  const known = await knownReminders(db.read);
  const due = (await datesAround(db.read, at - HORIZON.before, at + HORIZON.ahead)).flatMap((date) =>
    (byCouple.get(date.coupleId) ?? []).flatMap((device) =>
      dueOf(date, at, device.timeZone)
        .filter(({ kind }) => device.choices[kind])
        .map(({ kind, until }) => reminderFor(device, { key: dateKey(kind, date), kind, dateId: date.id, until }, at)),
    ),
  );
  const fresh = due.filter(({ sessionId, key }) => !known.has(`${sessionId} ${key}`));
  if (fresh.length === 0) return;
  await db.write(async (tx) => {
    await queue(tx, fresh);
    await forgetReminders(tx, at);
  });
}

/** What was added is taken out and queued in one transaction: neither lost nor told twice. */
async function queuePhotographs({ db, now }: Deps, devices: readonly ToldDevice[]): Promise<void> {
  const at = now();
  for (const added of await addedPhotos(db.read)) {
    if (!isGathered(added, at)) continue;
    const { coupleId, userId: addedBy, dateId, count, firstAt } = added;
    const partners = devices.filter(
      (device) => device.coupleId === coupleId && device.userId !== addedBy && device.choices.photographs,
    );
    const what = { kind: 'photographs', key: `photographs ${dateId} ${firstAt}`, dateId, until: at + NEWS_MS } as const;
    const news = partners.map((device) => ({ ...reminderFor(device, what, at), addedBy, count }));
    await db.write(async (tx) => {
      if (await takeAdded(tx, added)) await queue(tx, news);
    });
  }
}

function reminderFor(
  { coupleId, userId, sessionId }: ToldDevice,
  what: Pick<Reminder, 'key' | 'kind' | 'dateId' | 'until'>,
  createdAt: number,
): Reminder {
  return { coupleId, userId, sessionId, ...what, addedBy: null, count: null, createdAt };
}

async function sendWaiting(deps: Deps): Promise<void> {
  const turns = new PQueue({ concurrency: AT_ONCE });
  for (const reminder of await waiting(deps.db.read, deps.now())) {
    void turns
      .add(() => sendOne(deps, reminder))
      .catch((error: unknown) => deps.log.error({ err: error }, 'a reminder could not be sent'));
  }
  await turns.onIdle();
}

async function sendOne(deps: Deps, reminder: Waiting): Promise<void> {
  const { db, now } = deps;
  if (!(await db.write((tx) => hold(tx, reminder, now())))) return;
  const status = await push(deps, reminder);
  const retry = status !== null && status !== 413 && (status === 429 || status >= 500 || status === 0);
  await db.write(async (tx) => {
    // 404 and 410: the browser has let go of this subscription.
    if (status === 404 || status === 410) await deleteDevice(tx, reminder.coupleId, reminder);
    if (retry && reminder.tries + 1 < MOST_TRIES) await putOff(tx, reminder, now() + 2 ** reminder.tries * MINUTE);
    else await finish(tx, reminder, now());
  });
}

/** Sends one; the push service's status, 0 where it could not be reached, null where there is nothing to say any more. */
async function push(deps: Deps, reminder: Waiting): Promise<number | null> {
  const { db, config, now, log } = deps;
  const at = now();
  const subject = await readSubject(db.read, reminder);
  if (!subject || at >= reminder.until || !(await isWanted(deps, reminder, subject))) return null;
  const { endpoint, p256dh, auth } = subject.device;
  const { default: webPush } = await import('web-push');
  try {
    const keys = await vapidKeys(deps);
    const request = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(noticeOf(reminder, subject)),
      {
        vapidDetails: { subject: subjectOf(config), ...keys },
        TTL: Math.max(60, Math.floor((reminder.until - at) / 1000)),
        urgency: reminder.kind === 'starting' ? 'high' : 'normal',
        // Should it come twice after all, the push service keeps the later one only.
        topic: digest('sha256', reminder.key, 'base64url').slice(0, 32),
      },
    );
    const body = request.body as Buffer;
    return await post(endpoint, { headers: request.headers, body }, deps.localPush === true);
  } catch (error) {
    // The address itself is a secret between the browser and us.
    log.warn({ reason: error instanceof Error ? error.message : '' }, 'a push service could not be reached');
    return 0;
  }
}

type Subject = NonNullable<Awaited<ReturnType<typeof readSubject>>>;

/** Whether it still holds: the date was not moved, cancelled or completed since, and the switch is on. */
async function isWanted({ db, now }: Deps, reminder: Waiting, { date, device }: Subject): Promise<boolean> {
  const { kind, key, coupleId, userId } = reminder;
  const choices = await readChoices(db.read, coupleId, userId);
  if (!choices[kind]) return false;
  if (kind === 'photographs') return true;
  return dateKey(kind, date) === key && dueOf(date, now(), device.timeZone).some((due) => due.kind === kind);
}

function noticeOf({ kind, count }: Waiting, { date, addedBy }: Subject): Notice {
  return {
    kind,
    dateId: date.id,
    title: date.title,
    plannedDateTime: formatInstant(date.plannedDateTime),
    location: date.location,
    inProgress: date.status === 'InProgress',
    added: addedBy === null ? null : { by: addedBy, count: count ?? 1 },
  };
}

/** Hears what is announced, and counts the photographs that somebody's partner will be told of. */
export function hearPhotographs(deps: Pick<Deps, 'db' | 'now' | 'log'>) {
  const { db, now, log } = deps;
  const under = new Set<Promise<void>>();
  const count = async (coupleId: CoupleId, { id, by }: Change) => {
    if (!(await partnerIsTold(db.read, coupleId, by))) return;
    const memory = await db.read
      .selectFrom('memories')
      .select(['dateId', 'uploadedAt'])
      .where('coupleId', '=', coupleId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!memory || now() - memory.uploadedAt > JUST_NOW_MS) return;
    await db.write((tx) => countAdded(tx, coupleId, by, memory.dateId, now()));
  };
  return {
    heard: (coupleId: CoupleId, change: Change): void => {
      if (change.entity !== 'memory' || change.action !== 'created') return;
      const work = count(coupleId, change).catch((error: unknown) => log.error({ err: error }, 'added photographs'));
      under.add(work);
      void work.finally(() => under.delete(work));
    },
    /** Waits for what is being counted. */
    stop: async (): Promise<void> => {
      await Promise.all(under);
    },
  };
}
