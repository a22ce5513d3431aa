import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY } from '../../src/base/durations.ts';
import { makeAgreedRecovery } from '../support/agreed-recovery.ts';
import { Caller } from '../support/caller.ts';
import { describeOnBoth, sqliteAndDisk } from '../support/engines.ts';
import { addPhoto, completeDate, planDate } from '../support/factories.ts';
import { joinAsBen, registerAda } from '../support/register-couple.ts';
import { spawnServer } from '../support/spawn-server.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';

const TOKEN = 'a token for the monitoring system';
const METRICS_TOKEN = TOKEN.replaceAll(' ', '-');

describe('/metrics', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { env: { METRICS_TOKEN } });
  });
  afterAll(() => app.close());
  const getMetrics = (token: string) => fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });

  it('answers 404 unless it is configured', { tags: ['running.watching.2'] }, async () => {
    const other = await startTestApp(sqliteAndDisk);
    expect((await fetch(`${other.url}/metrics`)).status).toBe(404);
    await other.close();
  });

  it('requires the token', { tags: ['running.watching.2'] }, async () => {
    expect((await fetch(`${app.url}/metrics`)).status).toBe(401);
    expect((await getMetrics(`${METRICS_TOKEN}x`)).status).toBe(401);
    const { token } = await registerAda(app, 'ada-watched@example.org');
    expect((await getMetrics(token ?? '')).status).toBe(401);
    expect((await getMetrics(METRICS_TOKEN)).status).toBe(200);
  });

  it('reports the duration of each route and the state of backups and photographs, and nothing personal', async () => {
    const ada = await registerAda(app, 'ada-measured@example.org');
    const { id } = await planDate(ada, { idea: { title: 'Nobody’s business' } });
    await addPhoto(ada, id, 1);
    await ada.call('GET /api/PlannedDates/{id}', { params: { id } });
    await new Caller(app.url).call('GET /api/auth/invitations/{code}', { params: { code: 'secret-code' } });
    const text = await (await getMetrics(METRICS_TOKEN)).text();
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/PlannedDates\/:id",status="200"\} 1/,
    );
    expect(text).toMatch(/^our_love_story_photographs 1$/m);
    expect(text).toMatch(/^our_love_story_damaged_photographs 0$/m);
    expect(text).toMatch(/^our_love_story_backup_verified_timestamp_seconds 0$/m);
    expect(text).toMatch(/^our_love_story_sweep_stopped 0$/m);
    expect(text).toMatch(/^our_love_story_orphan_bytes 0$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
    for (const secret of [id, 'secret-code', 'ada-measured', 'business', ada.user.couple.id]) {
      expect(text).not.toContain(secret);
    }
  });
});

describeOnBoth('the log', (engine) => {
  let storage: TestStorage;
  beforeAll(async () => {
    storage = await createTestStorage(engine);
  });
  afterAll(() => storage.remove());

  it('has each reply with its request’s id, and at the most verbose level no secret and no user’s text', {
    tags: ['running.watching.1'],
  }, async () => {
    const server = await spawnServer(storage, { env: { LOG_LEVEL: 'trace' } });
    const ada = await registerAda(server, 'ada-is-private@example.org');
    const invitation = await ada.call('POST /api/auth/invitations');
    await new Caller(server.url).call('GET /api/auth/invitations/{code}', { params: { code: invitation.body.code } });
    const ben = await joinAsBen(server, ada, 'ben-is-private@example.org');
    const texts = { title: 'Private title', description: 'Private description' };
    const date = await completeDate(ada, {
      idea: texts,
      location: 'Private place',
      notes: 'Private notes',
      at: Date.now() - DAY,
      minutes: 30,
    });
    await addPhoto(ben, date.id, 1, 'Private caption');
    // Errors: a duplicate e-mail, a wrong password, an invalid body, an unknown code.
    await ben.call('PUT /api/auth/profile', { body: { displayName: 'Private name', email: ada.email } });
    const wrong = await new Caller(server.url).call('POST /api/auth/login', {
      body: { email: ada.email, password: 'a wrong private password' },
    });
    await ada.request(
      'POST /api/DateIdeas',
      {},
      { raw: { type: 'application/json', body: '{"title": "Private title' } },
    );
    await new Caller(server.url).call('GET /api/export/{code}', { params: { code: 'private-export-code' } });
    const code = await makeAgreedRecovery(ada, ben);
    const newPassword = 'another private password';
    await new Caller(server.url).call('POST /api/auth/recovery/{code}', { params: { code }, body: { newPassword } });
    const { body: link } = await ada.call('POST /api/export');
    await (await fetch(server.url + link.url)).arrayBuffer();
    await server.kill();

    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const log = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const refused = log.filter(({ reqId }) => reqId === wrong.problem.requestId);
    expect(refused).toMatchObject([{ method: 'POST', route: '/api/auth/login', status: 401, msg: 'security event' }]);
    expect(log.filter(({ status }) => status === 201).length).toBeGreaterThan(4);
    const secrets = [
      'is-private',
      'Private',
      'private-export-code',
      'private password',
      ada.password,
      'photo-1',
      'example.org',
      ada.token ?? '',
      ben.token ?? '',
      ada.cookie,
      invitation.body.code,
      code,
      link.url.slice('/api/export/'.length),
    ];
    for (const secret of secrets) expect(server.output()).not.toContain(secret);
  });

  it('has nothing of what is searched for', { tags: ['search.11'] }, async () => {
    const server = await spawnServer(storage, { env: { LOG_LEVEL: 'trace' } });
    const { status } = await fetch(`${server.url}/api/Search?q=sesquipedalian`);
    expect(status).toBe(401);
    await expect.poll(() => server.output()).toContain('/api/Search');
    expect(await server.kill()).toBe(0);
    expect(server.output()).not.toContain('sesquipedalian');
  });
});
