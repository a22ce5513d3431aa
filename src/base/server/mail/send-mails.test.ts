import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { describeOnBoth } from '../../../../tests/support/engines.ts';
import { type MailedApp, startMailedApp } from '../../../../tests/support/mailed-app.ts';
import { DAY, HOUR, MINUTE } from '../../durations.ts';
import { insertMail, sweepMails } from './mail-queue.ts';
import { openMailer } from './mailer.ts';
import { type MailKinds, sendMails } from './send-mails.ts';

const SECRET = 'sunset at the lake';

describeOnBoth('the queue of mails', (engine) => {
  let mailed: MailedApp;
  const now = () => mailed.now();
  beforeAll(async () => {
    mailed = await startMailedApp(engine);
  });
  beforeEach(async () => {
    mailed.advance(3 * DAY);
    mailed.server.refuse = null;
    mailed.server.before = null;
    await mailed.app.db.write((tx) => tx.deleteFrom('mails').execute());
  });
  afterAll(() => mailed.close());

  const kinds: MailKinds = {
    test: async (_tx, { address, about }) => ({ to: address, subject: SECRET, body: [about ?? ''] }),
  };
  const queue = (about: string, kind = 'test') =>
    mailed.deps.db.write((tx) => insertMail(tx, { kind, address: 'ada@example.org', about, user: null }, now()));
  const send = async (deps = mailed.deps, mayContinue?: () => boolean) => {
    if (deps.config.mail === null) throw new Error('There is no mail server');
    await sendMails(deps, kinds, await openMailer(deps.config.mail), mayContinue);
  };
  const received = () => mailed.server.received.splice(0).map(({ text }) => text.trim());
  const rows = () => mailed.deps.db.read.selectFrom('mails').selectAll().execute();

  it('is sent once by several nodes, and forgets the addresses', { tags: ['mail.sending.4'] }, async () => {
    for (let count = 0; count < 20; count += 1) await queue(String(count));
    await Promise.all([send(), send(), send()]);
    expect(
      received()
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect((await rows()).every(({ address, doneAt }) => address === '' && doneAt !== null)).toBe(true);
    await send();
    expect(received()).toEqual([]);
  });

  it('holds a mail while a node sends it, and gives it to another one if that node dies', {
    tags: ['mail.sending.4'],
  }, async () => {
    await queue('held');
    const arrived = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    mailed.server.before = async () => {
      mailed.server.before = null;
      arrived.resolve();
      await free.promise;
      throw new Error('the node is dead, and this mail never arrived');
    };
    // The database of a dead node takes nothing any more: it can't say what became of the mail.
    let isDead = false;
    const { db } = mailed.deps;
    const dying = {
      ...mailed.deps,
      db: {
        ...db,
        write: ((...args) => (isDead ? Promise.reject(new Error('dead')) : db.write(...args))) as typeof db.write,
      },
    };
    const first = send(dying);
    await arrived.promise;
    isDead = true;
    await send();
    expect(received()).toEqual([]);
    free.resolve();
    await first;
    mailed.advance(3 * MINUTE);
    await send();
    expect(received()).toEqual(['held']);
  });

  it('does not send a mail again that a paused node has sent, even if another one failed to meanwhile', {
    tags: ['mail.sending.4'],
  }, async () => {
    await queue('slow');
    mailed.server.before = async () => {
      mailed.server.before = null;
      mailed.advance(3 * MINUTE);
      mailed.server.refuse = 451;
      await send();
      mailed.server.refuse = null;
    };
    await send();
    expect((await rows())[0]?.tries).toBe(2);
    mailed.advance(HOUR);
    await send();
    expect(received()).toEqual(['slow']);
  });

  it('tries a mail again with growing pauses, for a day', { tags: ['mail.sending.5'] }, async () => {
    await queue('late');
    mailed.server.refuse = 451;
    const start = now();
    const tries: number[] = [];
    let last = 0;
    while (now() - start < 2 * DAY) {
      await send();
      const [row] = await rows();
      if (row && row.tries > last) tries.push(Math.round((now() - start) / MINUTE));
      last = row?.tries ?? 0;
      mailed.advance(now() - start < HOUR ? MINUTE : 20 * MINUTE);
    }
    const pauses = tries.slice(1).map((time, index) => time - (tries[index] ?? 0));
    expect(tries.length).toBeGreaterThan(8);
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
    expect(tries.at(-1)).toBeLessThanOrEqual(24 * 60);
    expect(tries.at(-1)).toBeGreaterThan(18 * 60);
    expect((await rows())[0]?.doneAt).not.toBeNull();
  });

  it('has the same message ID on each try', { tags: ['mail.sending.4'] }, async () => {
    await queue('twice');
    const [row] = await rows();
    await send();
    expect(mailed.server.received[0]?.messageId).toBe(`<${row?.id}@example.org>`);
    received();
  });

  it('drops what is no longer wanted, and keeps what only a newer version can send', async () => {
    await queue('unknown', 'of a newer version');
    await send();
    expect((await rows())[0]).toMatchObject({ doneAt: null, tries: 1 });
  });

  it('waits no longer than a day for a node whose clock was wrong', async () => {
    await queue('held by a wrong clock');
    await mailed.deps.db.write((tx) =>
      tx
        .updateTable('mails')
        .set({ heldUntil: now() + 30 * DAY })
        .execute(),
    );
    await send();
    expect(received()).toEqual(['held by a wrong clock']);
  });

  it('is emptied of old mails', async () => {
    await queue('old');
    mailed.advance(3 * DAY);
    await queue('new');
    await sweepMails(mailed.deps);
    expect((await rows()).map(({ about }) => about)).toEqual(['new']);
  });

  it('writes no address, subject or text into the log', { tags: ['mail.sending.8'] }, async () => {
    const lines: unknown[] = [];
    const log = {
      ...mailed.deps.log,
      warn: vi.fn<(...args: unknown[]) => void>((...args) => lines.push(args)),
      error: vi.fn<(...args: unknown[]) => void>((...args) => lines.push(args)),
    };
    await queue(SECRET);
    mailed.server.refuse = 550;
    await send({ ...mailed.deps, log } as never);
    expect(lines).toEqual([
      [{ kind: 'test', reason: 'it refused the mail', status: 550 }, 'the mail server did not take a mail'],
    ]);
  });
});
