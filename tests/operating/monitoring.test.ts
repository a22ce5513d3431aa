import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { runCaptured } from '../../scripts/lib/run-program.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { addIdea } from '../support/factories.ts';
import { hasPromtool } from '../support/operating/has-promtool-and-restic.ts';
import { registerAda } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const METRICS_TOKEN = 'a-token-for-the-monitoring';
const PROMETHEUS = join(root, 'deploy/prometheus');

/** The names of metrics in a text of expressions. */
const metricsIn = (text: string) => new Set(text.match(/\b(?:our_love_story|http|nodejs|process)_\w+/g));

describe('the metrics in the files of deploy', () => {
  let app: TestApp;
  let text: string;
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, { env: { METRICS_TOKEN } });
    await addIdea(await registerAda(app));
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    await fetch(`${app.url}/metrics`, { headers });
    text = await (await fetch(`${app.url}/metrics`, { headers })).text();
  });
  afterAll(() => app.close());

  it.each(['deploy/prometheus/rules.yml', 'deploy/grafana/dashboard.json'])(
    'of %s are those of the server',
    { tags: ['running.watching.4'] },
    (path) => {
      const known = metricsIn(text);
      const used = metricsIn(readFileSync(join(root, path), 'utf8'));
      expect(used.size).toBeGreaterThan(5);
      expect([...used].filter((name) => !known.has(name))).toEqual([]);
    },
  );

  it('have the space of each disk', { tags: ['running.watching.5'] }, () => {
    for (const place of ['data', 'photographs']) {
      const [, free = ''] =
        new RegExp(`^our_love_story_disk_free_bytes{place="${place}"} (\\S+)$`, 'm').exec(text) ?? [];
      const [, size = ''] =
        new RegExp(`^our_love_story_disk_size_bytes{place="${place}"} (\\S+)$`, 'm').exec(text) ?? [];
      expect(Number(size)).toBeGreaterThan(Number(free));
      expect(Number(free)).toBeGreaterThan(0);
    }
    expect(text).not.toContain('place="backups"');
  });
});

describe.skipIf(!hasPromtool() && !process.env.CI)('the alerts', () => {
  it('are valid', { tags: ['running.watching.4'] }, async () => {
    const { code, output } = await runCaptured('promtool', ['check', 'rules', 'rules.yml'], PROMETHEUS);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('SUCCESS') as unknown });
  });

  it('fire when they should, and none fires on a healthy server', { tags: ['running.watching.4'] }, async () => {
    const { code, output } = await runCaptured('promtool', ['test', 'rules', 'rules.test.yml'], PROMETHEUS);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('SUCCESS') as unknown });
  });
});
