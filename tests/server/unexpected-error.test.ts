import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeOnBoth } from '../support/engines.ts';
import { registerAda } from '../support/register-couple.ts';
import { startTestApp } from '../support/test-app.ts';

describeOnBoth('an unexpected error', (engine) => {
  it('answers 500 with a problem that reveals nothing about the server', { tags: ['wire.errors.1'] }, async () => {
    const app = await startTestApp(engine);
    const ada = await registerAda(app);
    await app.db.write((tx) => sql`alter table ideas rename to no_longer_here`.execute(tx));
    const response = await fetch(`${app.url}/api/DateIdeas`, { headers: { authorization: `Bearer ${ada.token}` } });
    const body = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      500,
      expect.stringContaining('application/problem+json'),
    ]);
    expect(JSON.parse(body)).toMatchObject({ status: 500, errors: [] });
    expect(body).not.toMatch(/ideas|select|no such|relation|node_modules|\.[jt]s\b|\bat [\w/]/i);
    await app.close();
  });
});
