import { expect, it } from 'vitest';
import { openCompetingConnection } from '../support/competing-connection.ts';
import { describeOnBoth, onPostgresOnly } from '../support/engines.ts';
import { startTestApp } from '../support/test-app.ts';
import { createTestStorage } from '../support/test-storage.ts';

describeOnBoth('DATABASE_DIRECT_URL', (engine) => {
  onPostgresOnly(engine, () => {
    it('is where live changes are heard and migrations lock, and DATABASE_URL where requests are answered', {
      tags: ['running.proxies.6'],
    }, async () => {
      const storage = await createTestStorage(engine);
      const named = (name: string) => `${storage.env.DATABASE_URL}?application_name=${name}`;
      const env = { DATABASE_URL: named('pooled'), DATABASE_DIRECT_URL: named('direct') };
      const competitor = await openCompetingConnection(storage);
      // Without tables, so that there is something to migrate.
      await competitor.query('drop schema public cascade; create schema public');
      const app = await startTestApp(engine, { storage, env });
      expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
      const usersOf = async (statement: string) => {
        const { rows } = await competitor.query(
          `select distinct application_name as name from pg_stat_activity
            where datname = current_database() and application_name <> 'rival' and query like $1
            order by name`,
          [`%${statement}%`],
        );
        return rows.map(({ name }) => name);
      };
      expect(await usersOf('')).toEqual(['direct', 'pooled']);
      expect(await usersOf('listen our_love_story')).toEqual(['direct']);
      expect(await usersOf('pg_advisory_unlock')).toEqual(['direct']);
      await app.close();
      await competitor.close();
      await storage.remove();
    });
  });
});
