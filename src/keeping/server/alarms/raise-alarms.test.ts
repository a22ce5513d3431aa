import { execFile } from 'node:child_process';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { describeOnBoth, sqliteAndDisk } from '../../../../tests/support/engines.ts';
import { addPhoto, planDate } from '../../../../tests/support/factories.ts';
import { type MailServer, startMailServer } from '../../../../tests/support/mail-server.ts';
import { registerCouple } from '../../../../tests/support/register-couple.ts';
import { depsOf } from '../../../../tests/support/server-deps.ts';
import { canMount, openSmallDisk } from '../../../../tests/support/small-disk.ts';
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { createTestStorage } from '../../../../tests/support/test-storage.ts';
import { DAY, HOUR } from '../../../base/durations.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { recordScheduledJob } from '../../../base/server/jobs/job-store.ts';
import { openMailer } from '../../../base/server/mail/mailer.ts';
import { sendMails } from '../../../base/server/mail/send-mails.ts';
import { readConfig } from '../../../base/server/process/config.ts';
import type { BackupState } from '../backup/nightly-backup.ts';
import { alarmMails } from './alarm-mails.ts';
import { raiseAlarms } from './raise-alarms.ts';

const OPERATOR = 'operator@example.org';

/** Opens the deps of a server with an operator, and without a public address. */
async function watch(app: TestApp, server: MailServer, now: () => number, more: Record<string, string>) {
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'album@example.org', OPERATOR_EMAIL: OPERATOR };
  const deps: Deps = {
    ...(await depsOf(app, now)),
    config: readConfig({ ...app.storage.env, ...env, ...more }),
  };
  const { mail } = deps.config;
  if (mail === null) throw new Error('There is no mail server');
  const mailer = await openMailer(mail);
  return {
    deps,
    /** Looks for what is amiss, as the server does every ten minutes. @returns what the operator gets */
    look: async () => {
      await Promise.all([raiseAlarms(deps), raiseAlarms(deps)]);
      await sendMails(deps, alarmMails(deps.config), mailer);
      return server.received.splice(0).map(({ to, subject, text }) => ({ to, subject, text }));
    },
  };
}

describeOnBoth('the operator’s alarms about backups', (engine) => {
  let ahead = 0;
  let app: TestApp;
  let server: MailServer;
  let backups: string;
  const now = () => Date.now() + ahead;
  beforeAll(async () => {
    app = await startTestApp(engine, { now, hasJobs: false });
    server = await startMailServer();
    backups = `${app.storage.env.DATA_DIR}-backups`;
    await mkdir(backups);
  });
  beforeEach(async () => {
    ahead += 10 * DAY;
    await app.db.write((tx) => tx.deleteFrom('scheduledJobs').where('name', 'in', ['alarms', 'backup']).execute());
  });
  afterAll(async () => {
    await app.close();
    await server.close();
    await rm(backups, { recursive: true });
  });

  const saveBackup = (state: BackupState) =>
    app.db.write((tx) => recordScheduledJob(tx, 'backup', { doneAt: now(), state }));
  const open = () => watch(app, server, now, { BACKUP_DIR: backups });
  const subjects = async (look: () => Promise<readonly { subject: string }[]>) =>
    (await look()).map(({ subject }) => subject);

  it('come when a nightly backup has failed, once a day, on whichever node', { tags: ['mail.alarms.1'] }, async () => {
    const { look } = await open();
    await saveBackup({ verifiedAt: now(), hasFailed: false });
    expect(await look()).toEqual([]);
    await saveBackup({ verifiedAt: now(), hasFailed: true });
    const [mail, ...others] = await look();
    expect(mail).toMatchObject({ to: OPERATOR, subject: 'The nightly backup failed' });
    expect(others).toEqual([]);
    ahead += 23 * HOUR;
    expect(await look()).toEqual([]);
    ahead += HOUR;
    await saveBackup({ verifiedAt: now(), hasFailed: true });
    expect(await subjects(look)).toEqual(['The nightly backup failed']);
  });

  it('come when no backup was verified for two days', { tags: ['mail.alarms.1'] }, async () => {
    const { look, deps } = await open();
    // Before the first one is due nothing is late.
    expect(await look()).toEqual([]);
    ahead += 2 * DAY + HOUR;
    expect(await look()).toEqual([]);
    ahead += HOUR;
    // Another node has no BACKUP_DIR.
    await raiseAlarms({ ...deps, config: { ...deps.config, backupDir: null } });
    expect(await subjects(look)).toEqual(['No backup was verified for two days']);
    ahead += DAY;
    await saveBackup({ verifiedAt: now() - DAY, hasFailed: false });
    expect(await look()).toEqual([]);
    ahead += DAY + HOUR;
    expect(await look()).toEqual([]);
    ahead += HOUR;
    expect(await subjects(look)).toEqual(['No backup was verified for two days']);
  });

  it('do not come where a computer that was asleep makes its backup within the hour', {
    tags: ['mail.alarms.1'],
  }, async () => {
    const { look } = await open();
    await saveBackup({ verifiedAt: now(), hasFailed: false });
    expect(await look()).toEqual([]);
    for (let weekend = 0; weekend < 2; weekend += 1) {
      ahead += 3 * DAY;
      expect(await look()).toEqual([]);
      await saveBackup({ verifiedAt: now(), hasFailed: false });
      ahead += HOUR / 6;
      expect(await look()).toEqual([]);
    }
  });
});

describe.skipIf(!canMount)('the operator’s alarm about a disk', () => {
  it('comes when less than 5 % is free', { tags: ['mail.alarms.1'] }, async () => {
    const storage = await createTestStorage(sqliteAndDisk);
    const disk = await openSmallDisk(4);
    const server = await startMailServer();
    const app = await startTestApp(sqliteAndDisk, { storage, hasJobs: false });
    try {
      const { look } = await watch(app, server, Date.now, { BACKUP_DIR: disk.folder });
      expect(await look()).toEqual([]);
      await disk.fill();
      const [mail] = await look();
      expect(mail).toMatchObject({ to: OPERATOR, subject: 'The disk is nearly full' });
      expect(mail?.text).toContain('backups');
      expect(await look()).toEqual([]);
    } finally {
      await app.close();
      await server.close();
      await disk.remove();
      await storage.remove();
    }
  });
});

describe('the operator’s alarms while a backup waits for a disk that does not answer', () => {
  it('come all the same', { tags: ['mail.alarms.1'] }, async () => {
    const storage = await createTestStorage(sqliteAndDisk);
    const server = await startMailServer();
    const before = await startTestApp(sqliteAndDisk, { storage, hasJobs: false });
    const { ada } = await registerCouple(before);
    const { fileName } = await addPhoto(ada, (await planDate(ada)).id, 1);
    const state: BackupState = { verifiedAt: null, hasFailed: true };
    await before.db.write((tx) => recordScheduledJob(tx, 'backup', { doneAt: Date.now() - 3 * DAY, state }));
    await before.close();

    const dataDir = storage.env.DATA_DIR ?? '';
    const photo = join(dataDir, 'photos', ada.user.couple.id, fileName);
    // A read of it waits until somebody writes.
    await rename(photo, `${photo}.original`);
    await promisify(execFile)('mkfifo', [photo]);
    const backups = `${dataDir}-backups`;
    await mkdir(backups);
    const env = {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'album@example.org',
      OPERATOR_EMAIL: OPERATOR,
      BACKUP_DIR: backups,
    };
    const app = await startTestApp(sqliteAndDisk, { storage, env });
    try {
      await expect
        .poll(() => server.received.map(({ subject }) => subject), { timeout: 30_000 })
        .toEqual(['The nightly backup failed']);
    } finally {
      const writer = await open(photo, 'r+');
      await rename(`${photo}.original`, photo);
      await writer.close();
      await app.close();
      await server.close();
      await storage.remove();
      await rm(backups, { recursive: true });
    }
  });
});
